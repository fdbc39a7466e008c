/**
 * A cancel that is decided before the exchange has answered the create has no id to ask with: it follows when the order is
 * known. A process that died in between forgot it, and the order that nobody wanted rested on.
 */
import { expect, it } from 'vitest';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { makeRig, settle, type Rig } from '../execution/rig.ts';

const PRICE = '59000';

/** The create arrives, its answer does not; then the strategy wants it gone, and the process dies. */
function died(): Rig {
  const rig = makeRig({});
  rig.venue.createMode = 'hold';
  rig.executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: PRICE,
    quantity: '0.1',
    ref: 'one',
  });
  rig.executor.submit('maker', { kind: 'cancel', ref: 'one' });
  expect(rig.venue.sent.map(({ kind }) => kind)).toEqual(['create']);
  return rig;
}

it('cancels an order after a restart that was to go before its id was known', async () => {
  const { journal, clock, venue } = died();
  const second = makeRig({ journal, clock, venue, bootId: 'b2' });
  createReconciler(second.executor).start();
  await settle();
  await clock.advanceAsync(120_000, 1000);
  expect(venue.resting()).toEqual([]);
  expect(venue.sent.map(({ kind }) => kind)).toEqual(['create', 'cancel']);
  expect(stateHash(replayRows(journal.read()).state)).toBe(stateHash(second.executor.state));
});

it('says once that it is to go, however often it is asked', () => {
  const { executor, journal } = died();
  executor.submit('maker', { kind: 'cancel', ref: 'one' });
  executor.submit('maker', { kind: 'cancelAll' });
  const kinds = [...journal.read()].map(({ entry }) => entry.kind);
  expect(kinds.filter((kind) => kind === 'cancel-wanted')).toHaveLength(1);
});
