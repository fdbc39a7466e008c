import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thinEquity } from '../../../src/research/report/downsample.ts';
import { pnlBars } from '../../../src/research/report/pnl-bars.ts';
import { FILLS_MAX, priceChart } from '../../../src/research/report/price-bars.ts';

const DAY = 86_400_000;
const T0 = Date.UTC(2024, 0, 1);

/** The deepest drawdown of a curve, as the page computes it from what it holds. */
function deepest(equity: readonly number[]): number {
  let peak = 0;
  return Math.min(...equity.map((value) => value / (peak = Math.max(peak, value))));
}

test('thinning keeps the ends, the extremes and the deepest drawdown', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 400 }), (values) => {
      const points = values.map((value, i) => [i, value] as const);
      const thin = thinEquity(points, 10);
      const whole = thinEquity(points, 1_000_000);
      expect(thin.ts.length).toBeLessThanOrEqual(66);
      expect(thin.ts).toEqual(thin.ts.toSorted((a, b) => a - b));
      expect([thin.ts[0], thin.ts.at(-1)]).toEqual([0, values.length - 1]);
      expect(Math.min(...thin.equity)).toBe(Math.min(...values));
      expect(Math.max(...thin.equity)).toBe(Math.max(...values));
      expect(deepest(thin.equity)).toBe(deepest(whole.equity));
      expect(whole.equity).toEqual(values);
    }),
  );
});

test('P&L by day adds up to the change of equity', () => {
  const points = Array.from({ length: 100 }, (_, i) => [T0 + i * (DAY / 10), 1000 + i * (i % 7)] as const);
  const bars = pnlBars(points, points[0]![0], points.at(-1)![0]);
  expect(bars.period).toBe('day');
  expect(bars.starts).toHaveLength(10);
  expect(bars.starts[0]).toBe(T0);
  expect(bars.pnl.reduce((sum, pnl) => sum + pnl, 0)).toBeCloseTo(points.at(-1)![1] - 1000, 9);
});

test.each([
  [20_000, 'second'],
  [60_000, '10 seconds'],
  [3_600_000, 'minute'],
  [2 * DAY, 'hour'],
  [30 * DAY, 'day'],
  [500 * DAY, 'week'],
  [4000 * DAY, 'month'],
])('a run of %d ms has bars by %s', (span, period) => {
  expect(
    pnlBars(
      [
        [T0, 1],
        [T0 + span, 2],
      ],
      T0,
      T0 + span,
    ).period,
  ).toBe(period);
});

test('weeks start on Monday', () => {
  // 2024-01-01 was a Monday.
  const bars = pnlBars(
    [
      [T0, 1],
      [T0 + 6.9 * DAY, 2],
      [T0 + 7 * DAY, 3],
      [T0 + 7.1 * DAY, 4],
    ],
    T0,
    T0 + 500 * DAY,
  );
  expect(bars).toMatchObject({ starts: [T0, T0 + 7 * DAY], pnl: [2, 1] });
});

const fillAt = (ts: number, side: 'buy' | 'sell', price: string, quantity: string) =>
  ({
    ts,
    symbol: 'X',
    side,
    price,
    quantity,
    fee: '0',
    feeCurrency: 'USDT',
    liquidity: 'maker',
    orderRef: '',
    tag: '',
    mid: null,
  }) as const;

test('candles merge with their extremes; few fills stay where they were, many become the average of their bar and side', () => {
  const rows = Array.from({ length: 6000 }, (_, i): [number, number, number, number, number, number] => [
    T0 + i * 60_000,
    100,
    i === 17 ? 130 : 101,
    i === 18 ? 70 : 99,
    100,
    1,
  ]);
  const fills = [
    fillAt(T0, 'buy', '100.25', '1'),
    fillAt(T0 + 1, 'buy', '101.25', '3'),
    fillAt(T0 + 2, 'sell', '99', '1'),
  ];
  const prices = { kind: 'candles', symbol: 'X', intervalMs: 60_000, rows } as const;
  const few = priceChart(prices, { fills });
  expect(few).toMatchObject({ intervalMs: 300_000, style: 'candles', precision: 2, fillCount: 3 });
  expect(Math.max(...few.high)).toBe(130);
  expect(Math.min(...few.low)).toBe(70);
  expect(few.fills).toHaveLength(3);
  expect(few.fills[1]).toEqual({ time: (T0 + 1) / 1000, side: 'buy', price: 101.25, count: 1, quantity: 3 });
  const later = Array.from({ length: FILLS_MAX }, () => fillAt(T0 + 300_000, 'sell', '100', '1'));
  expect(priceChart(prices, { fills: [...fills, ...later] }).fills).toEqual([
    { time: T0 / 1000, side: 'buy', price: 101, count: 2, quantity: 4 },
    { time: T0 / 1000, side: 'sell', price: 99, count: 1, quantity: 1 },
    { time: T0 / 1000 + 300, side: 'sell', price: 100, count: FILLS_MAX, quantity: FILLS_MAX },
  ]);
});

test('a mid path is drawn on an even grid and stands where it did not change', () => {
  const points: [number, number][] = [
    [T0, 1],
    [T0 + 1000, 2],
    [T0 + 5000, 3],
  ];
  const chart = priceChart({ kind: 'line', symbol: 'X', points }, { fills: [] });
  expect(chart).toMatchObject({ style: 'line', intervalMs: 1000, close: [1, 2, 2, 2, 2, 3] });
});

test('no prices, no bars', () => {
  expect(priceChart({ kind: 'line', symbol: 'X', points: [] }, { fills: [fillAt(T0, 'buy', '1', '1')] })).toMatchObject(
    {
      time: [],
      fills: [],
    },
  );
});
