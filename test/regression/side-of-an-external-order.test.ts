/**
 * Found by the fault simulator (seeds 84 and, of crowded worlds, 920084; law L1): own trades bore the taker's side, an external order
 * had rested in list after list, and its trade came while no list showed it any more, or in a later process that had never seen
 * it: it was booked as a sell although the order was a buy.
 */
import { expect, it } from 'vitest';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import { BTC, makeRig } from '../execution/rig.ts';

it('is that of its fee where no list has ever shown it', async () => {
  const rig = makeRig({ specs: [BTC] });
  const { venue, clock, journal } = rig;
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await clock.advanceAsync(10_000, 1000);
  const terms = { symbol: BTC.symbol, market: 'spot', price: '60000', quantity: '0.1', liquidity: 'maker' } as const;
  const at = { orderId: 'never-shown', ts: clock.now() };
  venue.trades.push({ tradeId: 't1', ...at, ...terms, side: 'sell', fee: '0.0001', feeCurrency: 'BTC' });
  venue.trades.push({ tradeId: 't2', ...at, ...terms, side: 'buy', fee: '6', feeCurrency: 'USDT' });
  await clock.advanceAsync(120_000, 1000);
  const booked = [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause === 'trade of others' ? [`${entry.name} ${entry.quantity}`] : [],
  );
  expect(booked).toEqual(['BTC -0.1', 'USDT 5994', 'BTC 0.0999', 'USDT -6000']);
});

it('is remembered until its trade comes', async () => {
  const rig = makeRig({ specs: [BTC] });
  const { venue, clock, journal } = rig;
  createReconciler(rig.executor, { markets: ['spot'] }).start();
  await clock.advanceAsync(5_000, 1000);
  const terms = { market: 'spot', symbol: BTC.symbol, side: 'buy', type: 'limit', timeInForce: 'gtc' } as const;
  const { orderId } = venue.arrive({ ...terms, price: '59000', quantity: '0.2', clientOrderId: '' });
  await clock.advanceAsync(60_000, 1000);
  const trade = venue.fill(orderId, '0.2');
  venue.trades.splice(0, 1, { ...trade, side: 'sell' });
  venue.orders.clear();
  await clock.advanceAsync(120_000, 1000);
  const booked = [...journal.read()].flatMap(({ entry }) =>
    entry.kind === 'adjustment' && entry.cause === 'trade of others' ? [`${entry.name} ${entry.quantity}`] : [],
  );
  expect(booked).toEqual(['BTC 0.2', 'USDT -11800']);
});
