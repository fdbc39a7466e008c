/**
 * Found by the fault simulator (seed 36668, law L1): a clock of the exchange went back to before the opening, and what a human
 * traded then was taken for held by that opening, though the order of it was placed long after. It was booked as a nameless
 * difference. A trade is no older than its order.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/execution/reconcile/reconciler.ts';
import { byHand, held, liquidates } from '../execution/perpetual-rig.ts';
import { alarms, makeRig, PERP, settle } from '../execution/rig.ts';

it('is booked as of others beside the opening that it seems older than', async () => {
  const rig = makeRig({ specs: [PERP] });
  createReconciler(rig.executor).start();
  await settle();
  await rig.clock.advanceAsync(61_000, 1000);
  // The order as of now, its trade before the opening.
  liquidates(rig, 'buy', '0.3');
  const { reason: _none, ...order } = rig.venue.orders.get('liq')!;
  rig.venue.orders.set('liq', order);
  rig.venue.trades.pop();
  byHand(rig, 'h1', 'buy', '0.3', { orderId: 'liq', agoMs: 90_000 });
  rig.venue.positionsNow = [held('0.3')];
  await rig.clock.advanceAsync(120_000, 1000);
  const moves = [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' ? [`${entry.cause} ${entry.quantity}`] : [],
  );
  expect(moves).toEqual(['opening 0', 'trade of others 0.3']);
  expect(alarms(rig)).toEqual([]);
});
