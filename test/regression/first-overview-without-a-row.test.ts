/**
 * Found by the fault simulator (seed 84, law F6): the first overview that a new process read was `200 []`. It was taken for a
 * complete reading, and a balance that its stream had told, or its journal explains, became zero.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { makeRig, trading } from '../execution/rig.ts';

it('does not take away what the stream has told, and concludes nothing', async () => {
  const rig = makeRig();
  rig.venue.balancesNow = [];
  const reconciler = createReconciler(rig.executor);
  expect(await reconciler.runNow()).toMatchObject({
    complete: false,
    failures: ['balances: partial, the list has no balance, but the account holds some'],
  });
  expect(rig.executor.account('maker').balance('USDT').total).toBe('1000000');
  expect(reconciler.gate.closedBecause('')).not.toBeNull();
});

it('does not believe it against the journal of an earlier process, and the next overview opens the gate', async () => {
  const first = makeRig();
  first.executor.submit('maker', { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'market', quantity: '0.01' });
  first.venue.tellFill('v1', '0.01');
  createReconciler(first.executor).start();
  await first.clock.advanceAsync(60_000);
  expect([...first.journal.read()].some(({ entry }) => entry.kind === 'adjustment')).toBe(true);
  first.venue.balancesNow = [];
  const again = makeRig({ journal: first.journal, clock: first.clock, venue: first.venue, bootId: 'b2' });
  const reconciler = createReconciler(again.executor);
  expect((await reconciler.runNow()).complete).toBe(false);
  expect(again.events.filter(({ kind }) => kind === 'alarm')).toEqual([]);
  again.venue.balancesNow = [trading('USDT', '1000000'), trading('BTC', '10')];
  expect((await reconciler.runNow()).complete).toBe(true);
  expect(reconciler.gate.closedBecause('')).toBeNull();
});

it('believes it of an account that nothing is known of', async () => {
  const rig = makeRig();
  const unknown = makeRig({ clock: rig.clock, bootId: 'b2', venue: emptyVenue() });
  expect((await createReconciler(unknown.executor).runNow()).complete).toBe(true);

  function emptyVenue() {
    rig.venue.balancesNow = [];
    return rig.venue;
  }
});
