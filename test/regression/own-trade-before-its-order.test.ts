/**
 * Found by the fault simulator (seed 5589, law F3 at the end): an order left while the clock was seconds ahead, its answer was lost, and
 * the exchange keeps no client ids. Its trade bears a time before it was sent, so it was booked as of others, and as our fill
 * once the history could be read.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { makeRig, trading } from '../execution/rig.ts';

const AHEAD_MS = 6000;

it('is not booked as of others while its order is of unknown outcome', async () => {
  const rig = makeRig({ clientOrderIds: false });
  const { clock, executor, journal, venue } = rig;
  createReconciler(executor).start();
  await clock.advanceAsync(5000, 1000);
  executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    price: '59000',
    quantity: '0.1',
  });
  await clock.advanceAsync(61_000, 1000);

  venue.createMode = 'ack-lost';
  executor.submit('maker', {
    kind: 'place',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'limit',
    price: '60000',
    quantity: '0.2',
  });
  venue.readable.orderHistory = 'failed';
  const order = venue.resting().find(({ side }) => side === 'sell');
  if (order === undefined) throw new Error('the order did not arrive');
  const { orderId, symbol } = order;
  const at = clock.now() - AHEAD_MS;
  const filled = {
    filledQuantity: '0.2',
    averagePrice: '60000',
    status: 'filled',
    createdAt: at,
    updatedAt: at,
  } as const;
  venue.orders.set(orderId, { ...order, ...filled });
  venue.trades.push({
    tradeId: 'ours',
    orderId,
    symbol,
    market: 'spot',
    side: 'sell',
    price: '60000',
    quantity: '0.2',
    fee: '0',
    feeCurrency: 'USDT',
    liquidity: 'taker',
    ts: at,
  });
  venue.balancesNow = [trading('USDT', '1012000'), trading('BTC', '9.8')];
  await clock.advanceAsync(20_000, 1000);
  venue.readable.orderHistory = 'complete';
  await clock.advanceAsync(120_000, 1000);

  const entries = [...journal.read()].map(({ entry }) => entry);
  expect(entries.flatMap((entry) => (entry.kind === 'fill' ? [entry.fill.tradeId] : []))).toEqual(['ours']);
  expect(entries.filter((entry) => entry.kind === 'adjustment' && entry.cause !== 'opening')).toEqual([]);
});
