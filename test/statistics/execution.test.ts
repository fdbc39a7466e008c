import { expect, test } from 'vitest';
import { executionOf, type ExecutionInput } from '../../src/statistics/execution.ts';
import type { FillRecord } from '../../src/statistics/inputs.ts';
import { seriesOf, type Point } from '../../src/statistics/series.ts';
import { valuesOf } from '../../src/statistics/valuation.ts';
import { BTC, T0, fill } from './fixtures.ts';

const path = Array.from({ length: 61 }, (_, i): Point => [T0 + i * 1000, 100 + i * 0.01]);

function execution(fills: readonly FillRecord[], over: Partial<ExecutionInput> = {}) {
  const values = valuesOf(fills, { BTCUSDT: BTC });
  return executionOf({
    values,
    orders: { submitted: 10, accepted: 8 },
    mids: { BTCUSDT: seriesOf(path) },
    to: T0 + 60_000,
    ...over,
  });
}

test('shares, ratios and times by hand', () => {
  const result = execution([
    fill({ ts: T0 + 500, side: 'buy', price: '100', quantity: '3', orderRef: 'a', orderTs: T0, queueAhead: 4 }),
    fill({ ts: T0 + 900, side: 'buy', price: '100', quantity: '3', orderRef: 'a', orderTs: T0, queueAhead: 4 }),
    fill({ ts: T0 + 1000, side: 'sell', price: '100', quantity: '2', orderRef: 'b', orderTs: T0, liquidity: 'taker' }),
  ]);
  expect(result).toMatchObject({
    makerShare: 0.75,
    fillRatio: 0.25,
    avgTimeToFillMs: 750,
    queueAheadAtFill: 4,
    slippageBps: null,
  });
  expect(result.orderToTrade).toBeCloseTo(10 / 3, 14);
});

test('an order by which the exchange liquidates is no order of the strategy', () => {
  const own = fill({ ts: T0 + 500, side: 'buy', price: '100', quantity: '3', orderRef: 'a', orderTs: T0 });
  const forced = fill({ ts: T0 + 900, side: 'sell', price: '90', quantity: '3', orderRef: 'liquidation-1' });
  const result = execution([own, forced], { orders: { submitted: 1, accepted: 1 } });
  expect(result).toMatchObject({ fillRatio: 1, avgTimeToFillMs: 500 });
});

test('slippage is positive when worse than the arrival mid, for both sides', () => {
  const buy = fill({ side: 'buy', price: '100.1', quantity: '1', arrivalMid: 100 });
  const sell = fill({ side: 'sell', price: '99.9', quantity: '1', arrivalMid: 100 });
  expect(execution([buy]).slippageBps).toBeCloseTo(10, 9);
  expect(execution([sell]).slippageBps).toBeCloseTo(10, 9);
});

test('markouts follow the mid in the direction of the fill', () => {
  const buy = execution([fill({ ts: T0, side: 'buy', price: '100', quantity: '1', mid: 100 })]);
  expect(buy.markout1s).toBeCloseTo(1, 9);
  expect(buy.markout5s).toBeCloseTo(5, 9);
  expect(buy.markout30s).toBeCloseTo(30, 9);
  const sell = execution([fill({ ts: T0, side: 'sell', price: '100', quantity: '1', mid: 100 })]);
  expect(sell.markout30s).toBeCloseTo(-30, 9);
});

test('a markout beyond the end of the data is unknown, not zero', () => {
  const late = execution([fill({ ts: T0 + 58_000, side: 'buy', price: '100', quantity: '1', mid: 100 })]);
  expect(late.markout1s).not.toBeNull();
  expect(late).toMatchObject({ markout5s: null, markout30s: null });
});

test('a mid path of candles is too coarse for markouts', () => {
  const mids = {
    BTCUSDT: seriesOf([
      [T0, 100],
      [T0 + 3_600_000, 101],
    ]),
  };
  const fills = [fill({ ts: T0, side: 'buy', price: '100', quantity: '1', mid: 100 })];
  expect(execution(fills, { mids, to: T0 + 7_200_000 })).toMatchObject({ markout1s: null, markout30s: null });
});

test('mids recorded with the fill go before the path', () => {
  const given = fill({ side: 'buy', price: '100', quantity: '1', mid: 100, midAfter: [101, null, 99] });
  const result = execution([given]);
  expect(result.markout1s).toBeCloseTo(100, 9);
  expect(result.markout5s).toBeNull();
  expect(result.markout30s).toBeCloseTo(-100, 9);
});
