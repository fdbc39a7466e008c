/**
 * Found by the fault simulator (seed 89000203 with `--money 0.2`): an order that was answered as open and is in no list, beside a
 * trade of an order that a human had left long ago. History was read far enough back in one look and not in the next, so that the
 * proof of its absence, which needs two, waited for as long as nothing else was in doubt.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { place } from '../execution/limit-rig.ts';
import { makeRig, trading } from '../execution/rig.ts';

const reconcile = { historyLagMs: 5_000, intervalMs: 1_000, urgentIntervalMs: 1_000 };

it('is over once two looks at all lists show none of it', async () => {
  const rig = makeRig({ reconcile });
  const { venue, clock, executor } = rig;
  const { orderId: old } = venue.arrive({ ...place, market: 'spot', timeInForce: 'gtc', clientOrderId: '' });
  clock.advance(500_000);
  executor.submit('maker', place);
  const ghost = venue.resting().find(({ orderId }) => orderId !== old);
  venue.orders.delete(ghost?.orderId ?? '');
  venue.fill(old, place.quantity);
  venue.balancesNow = [trading('USDT', '999410'), trading('BTC', '10.01')];
  expect(executor.account('maker').openOrders()).toHaveLength(1);
  const reconciler = createReconciler(executor, { markets: ['spot'] });
  reconciler.start();
  await clock.advanceAsync(120_000, 500);
  reconciler.stop();
  expect(executor.account('maker').openOrders()).toEqual([]);
});
