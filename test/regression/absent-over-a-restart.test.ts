/**
 * An order of unknown outcome that never arrived is proved absent by two complete polls. The first one was not journalled: a
 * process that polled once and ended, as `reconcile` does, proved nothing, however often it was called.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { makeRig, type Rig } from '../execution/rig.ts';

/** The request is lost and the process dies. */
function died(): Rig {
  const rig = makeRig({});
  rig.venue.createMode = 'never-arrives';
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.1',
    ref: 'one',
  });
  return rig;
}

/** A process that polls once, a while later; answers how many orders are in doubt after it. */
async function polledOnce({ journal, clock, venue }: Rig, bootId: string, afterMs: number): Promise<number> {
  await clock.advanceAsync(afterMs, 1000);
  const rig = makeRig({ journal, clock, venue, bootId });
  await createReconciler(rig.executor).runNow({ isLast: true });
  expect(stateHash(replayRows(journal.read()).state)).toBe(stateHash(rig.executor.state));
  return rig.executor.unresolvedCount();
}

it('reconcile/unknown-order/absent-by-polls-of-two-processes', async () => {
  const rig = died();
  // Within the window in which the request may still arrive.
  expect(await polledOnce(rig, 'b2', 10_000)).toBe(1);
  expect(await polledOnce(rig, 'b3', 60_000)).toBe(1);
  expect([...rig.journal.read()].filter(({ entry }) => entry.kind === 'absent')).toHaveLength(1);
  // Nearer than a list may lag, with the doubt of the clock of another process.
  expect(await polledOnce(rig, 'b4', 40_000)).toBe(1);
  expect(await polledOnce(rig, 'b5', 10_000)).toBe(0);
  expect(replayRows(rig.journal.read()).state.orders.byIntent('b1-1')?.progress.state).toBe('never_arrived');
});
