/**
 * Found by the fault simulator (seed 10128, S5, where no client ids are kept): an order that an earlier life of the account had left
 * was shown by a comparison, and 12 s later one of ours left with the same terms. Its fate was unknown, and by the widest clock
 * the older one could be it: it was claimed and cancelled. What a comparison showed before ours was sent is not ours. Nor is an
 * order of which it showed a trade alone, since the history could not be read, or of which the private stream had told before it: that
 * was claimed, and its trade booked as ours (seeds 9, 28, 36 and 47 of worlds in which a human trades on our terms).
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import { BTC, makeRig, settle, trading } from '../execution/rig.ts';

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

it.each([
  { told: 'a list of trades', by: 'list' },
  { told: 'the private stream', by: 'stream' },
] as const)('is not claimed either when $told was all that had told of it', async ({ by }) => {
  const rig = makeRig({ specs: [BTC], clientOrderIds: false });
  const { venue, clock, executor } = rig;
  const reconciler = createReconciler(executor);
  reconciler.start();
  await clock.advanceAsync(5000, 1000);
  executor.submit('maker', { kind: 'place', ref: 'rests', ...terms, price: '58500' });
  await clock.advanceAsync(61_000, 1000);
  venue.createMode = 'never-arrives';
  // While this one is unknown the human's trade may be its, and is not booked.
  executor.submit('maker', { kind: 'place', ref: 'first', ...terms, price: '58000' });
  venue.readable.orderHistory = 'failed';
  const now = clock.now();
  const filled = { filledQuantity: '0.01', averagePrice: '59000', status: 'filled' } as const;
  const times = { createdAt: now, updatedAt: now };
  venue.orders.set('theirs', { orderId: 'theirs', ...terms, market: 'spot', timeInForce: 'gtc', ...filled, ...times });
  const costs = { fee: '0', feeCurrency: 'USDT', liquidity: 'taker', ts: now } as const;
  venue.trades.push({ tradeId: 't1', orderId: 'theirs', ...terms, market: 'spot', ...costs });
  if (by === 'stream') {
    venue.readable.ownTrades = 'failed';
    venue.emit({ kind: 'fill', fill: venue.trades[0]! });
  }
  venue.balancesNow = [trading('USDT', '999410'), trading('BTC', '10.01')];
  await clock.advanceAsync(12_000, 1000);
  executor.submit('maker', { kind: 'place', ref: 'ours', ...terms });
  await clock.advanceAsync(12_000, 1000);
  venue.readable.orderHistory = 'complete';
  venue.readable.ownTrades = 'complete';
  await clock.advanceAsync(200_000, 1000);
  const account = executor.account('maker');
  expect(['first', 'ours'].map((ref) => account.orderByRef(ref)?.state)).toEqual(['never_arrived', 'never_arrived']);
  expect(account.position('BTCUSDT').quantity).toBe('0');
  const booked = [...rig.journal.read()].filter(
    ({ entry }) => entry.kind === 'adjustment' && entry.cause === 'trade of others',
  );
  expect(booked).toHaveLength(2);
  reconciler.stop();
});
