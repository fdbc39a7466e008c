/**
 * Found by reading: an order that was closed, live again and closed once more stood twice among the closed ones. It counted
 * twice, and left the indexes at its first place, so that a late fill of it was unknown sooner than promised.
 */
import { expect, it } from 'vitest';
import type { VenueFill } from '../../src/model/trading/fill.ts';
import { Instrument } from '../../src/model/market/instrument.ts';
import type { CreateIntentEntry } from '../../src/model/entries/journal.ts';
import type { OrderReport } from '../../src/model/trading/order.ts';
import type { OwnOrder } from '../../src/spine/orders/own-order.ts';
import { TradingState } from '../../src/spine/trading-state.ts';
import { BTC } from '../execution/rig.ts';

const KEPT = 20_000;
const instrument = new Instrument(BTC);
const terms = { symbol: BTC.symbol, market: 'spot', side: 'buy', quantity: '0.1' } as const;
const limit = { type: 'limit', timeInForce: 'gtc', price: '60000' } as const;

function placed(state: TradingState, number: number): OwnOrder {
  const intentId = `tw-b1-${number}`;
  const order = { ...terms, ...limit, clientOrderId: intentId };
  const flags = { auto: true, tag: '', origin: 'place', reduceOnly: false, postOnly: false } as const;
  const ref = `maker-${number}`;
  const entry: CreateIntentEntry = {
    kind: 'intent',
    command: 'create',
    intentId,
    strategy: 'maker',
    ref,
    order,
    ...flags,
  };
  return state.openOrder(entry, instrument, 6_000_000, 10_000, number, null);
}

function canceled(state: TradingState, order: OwnOrder, filledQuantity: string): void {
  const orderId = `v-${order.intentId}`;
  const times = { createdAt: 1, updatedAt: 1 };
  const report: OrderReport = {
    ...terms,
    ...limit,
    orderId,
    status: 'canceled',
    filledQuantity,
    averagePrice: null,
    ...times,
  };
  state.report(order, report, 1);
}

function filled(state: TradingState, order: OwnOrder): void {
  const costs = { fee: '0', feeCurrency: 'USDT', liquidity: 'maker', ts: 1 } as const;
  const fill: VenueFill = { ...terms, tradeId: 't1', orderId: order.orderId ?? '', price: '60000', ...costs };
  state.fill(order, fill, 1);
}

it('spine/own-orders/closed-again-after-a-late-report-is-kept-as-long-as-others', () => {
  const state = new TradingState();
  const order = placed(state, 0);
  canceled(state, order, '0');
  canceled(state, order, '0.1');
  expect([...state.orders.remembered()]).toEqual([]);
  for (let number = 1; number < KEPT; number++) canceled(state, placed(state, number), '0');
  filled(state, order);
  expect([...state.orders.remembered()].filter((one) => one === order)).toEqual([order]);
  for (let number = KEPT; number < 2 * KEPT - 1; number++) canceled(state, placed(state, number), '0');
  expect(state.orders.byIntent(order.intentId)).toBe(order);
  canceled(state, placed(state, 2 * KEPT), '0');
  expect(state.orders.byIntent(order.intentId)).toBeUndefined();
});
