/**
 * Found by the fault simulator (seed 10128, S5, where no client ids are kept): an order that an earlier life of the account had left
 * was shown by a comparison, and 12 s later one of ours left with the same terms. Its fate was unknown, and by the widest clock
 * the older one could be it: it was claimed and cancelled. What a comparison showed before ours was sent is not ours.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/execution/reconcile/reconciler.ts';
import type { OrderReport } from '../../src/model/order.ts';
import { BTC, makeRig, settle } from '../execution/rig.ts';

const terms = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59000', quantity: '0.01' } as const;

it('is never claimed by its terms', async () => {
  const rig = makeRig({ specs: [BTC], clientOrderIds: false });
  const { venue, clock, executor } = rig;
  const reconciler = createReconciler(executor);
  reconciler.start();
  await settle();
  await clock.advanceAsync(61_000, 1000);
  const now = clock.now();
  const how = { market: 'spot', timeInForce: 'gtc', filledQuantity: '0', averagePrice: null, status: 'new' } as const;
  const theirs: OrderReport = { orderId: 'theirs', ...terms, ...how, createdAt: now, updatedAt: now };
  venue.orders.set('theirs', theirs);
  await clock.advanceAsync(12_000, 1000);
  venue.createMode = 'never-arrives';
  executor.submit('maker', { kind: 'place', ref: 'ours', ...terms });
  executor.submit('maker', { kind: 'cancel', ref: 'ours' });
  await clock.advanceAsync(200_000, 1000);
  expect(executor.account('maker').orderByRef('ours')?.state).toBe('never_arrived');
  expect(venue.orders.get('theirs')?.status).toBe('new');
  reconciler.stop();
});
