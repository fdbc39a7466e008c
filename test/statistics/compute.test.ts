import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { linearRegression, linearRegressionLine, rSquared } from 'simple-statistics';
import { expect, test } from 'vitest';
import { metricRows } from '../../src/research/report/metric-table.ts';
import { computeStats } from '../../src/statistics/compute.ts';
import type { Stats } from '../../src/statistics/stats.ts';
import { GrowingSeries, seriesOf } from '../../src/statistics/series.ts';
import { BTC, DAY, T0, dailyEquity, fill, input } from './fixtures.ts';

const RETURNS = [0.01, -0.005, 0.02, 0, -0.01, 0.015, 0.003, -0.002, 0.007, -0.004, 0.011, 0.001];
const stats = (over: Parameters<typeof input>[0]): Stats => computeStats(input(over)).stats;

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test('ratios of twelve daily returns, recomputed from their definitions', () => {
  const result = stats({ points: dailyEquity(RETURNS) });
  const mean = meanOf(RETURNS);
  const std = Math.sqrt(RETURNS.reduce((sum, r) => sum + (r - mean) ** 2, 0) / 11);
  expect(result.volatility).toBeCloseTo(std * Math.sqrt(365), 10);
  expect(result.sharpe).toBeCloseTo((mean / std) * Math.sqrt(365), 9);
  const downside = Math.sqrt(meanOf(RETURNS.map((r) => Math.min(r, 0) ** 2)));
  expect(result.sortino).toBeCloseTo((mean * 365) / (downside * Math.sqrt(365)), 8);
  expect(result.omega).toBeCloseTo(0.067 / 0.021, 9);
  const growth = RETURNS.reduce((product, r) => product * (1 + r), 1);
  expect(result.cagr).toBeCloseTo(growth ** (365 / 12) - 1, 9);
  expect(result.maxDrawdownPct).toBeCloseTo(1, 9);
  expect(result.calmar).toBeCloseTo((growth ** (365 / 12) - 1) / 0.01, 6);
  // Sorted: −0.01, −0.005, …: position 0.05 · 11 = 0.55; 0.95 · 11 = 10.45 between 0.015 and 0.02.
  expect(result.var95).toBeCloseTo(-0.01 + 0.55 * 0.005, 12);
  expect(result.cvar95).toBeCloseTo(-0.01, 12);
  expect(result.tailRatio).toBeCloseTo(0.01725 / 0.00725, 8);
});

test('stability equals R² of an independent regression', () => {
  const result = stats({ points: dailyEquity(RETURNS) });
  let level = 0;
  const curve = RETURNS.map((r, i): [number, number] => [i, (level += Math.log(1 + r))]);
  expect(result.stability).toBeCloseTo(rSquared(curve, linearRegressionLine(linearRegression(curve))), 9);
});

test('totals are exact sums of decimals', () => {
  const result = stats({
    points: [
      [T0, 1000],
      [T0 + 1000, 1000.3],
    ],
    fills: [
      fill({ side: 'buy', price: '100', quantity: '0.1', fee: '0.1' }),
      fill({ side: 'buy', price: '100', quantity: '0.2', fee: '0.2' }),
      fill({ side: 'sell', price: '100', quantity: '0.3', fee: '0.0003', feeCurrency: 'BTC' }),
    ],
    funding: [
      { ts: T0, amount: '-0.1' },
      { ts: T0, amount: '-0.2' },
    ],
  });
  expect(result).toMatchObject({ netPnl: 0.3, returnPct: 0.03, fees: 0.33, funding: -0.3, volume: 60 });
  expect(result.turnover).toBeCloseTo(0.06, 12);
  expect(result.pnlPerVolumeBps).toBe(50);
});

test('a short run is not annualised and says why', () => {
  const report = computeStats(input({ points: dailyEquity(RETURNS.slice(0, 6)) }));
  expect(report.stats).toMatchObject({
    cagr: null,
    volatility: null,
    sharpe: null,
    sortino: null,
    calmar: null,
    psr: null,
    minTrackRecordDays: null,
    sharpeCi95: null,
  });
  expect(report.stats.maxDrawdownPct).not.toBeNull();
  expect(report.warnings).toEqual([expect.stringContaining('nothing is annualised: 6.00 days and 6 returns')]);
});

test('hourly samples change N, and seven days remain the least', () => {
  const hours = (count: number) =>
    Array.from({ length: count + 1 }, (_, i) => [T0 + i * 3_600_000, 1000 + Math.sin(i)] as const);
  const short = computeStats(input({ points: hours(48), sampleMs: 3_600_000 }));
  expect(short.conventions).toMatchObject({ samples: 48, periodsPerYear: 8760, annualised: false });
  expect(short.stats.sharpe).toBeNull();
  const long = computeStats(input({ points: hours(24 * 8), sampleMs: 3_600_000 }));
  expect(long.conventions).toMatchObject({ samples: 192, annualised: true });
  expect(long.stats.sharpe).not.toBeNull();
});

test('a fee in a currency of unknown worth makes fees unknown and is said', () => {
  const fills = [fill({ side: 'buy', price: '1', quantity: '1', fee: '1', feeCurrency: 'XYZ' })];
  const report = computeStats(input({ fills }));
  expect(report.stats.fees).toBeNull();
  expect(report.warnings).toContainEqual(expect.stringContaining('fees in XYZ'));
});

test('a fill in a currency of unknown worth counts as 0, and is said', () => {
  const other = { symbol: 'ETHBTC', feeCurrency: 'BTC', fee: '0.1' };
  const fills = [
    fill({ ...other, side: 'buy', price: '2', quantity: '1' }),
    fill({ ...other, side: 'sell', price: '3', quantity: '1' }),
  ];
  const symbols = { ETHBTC: { ...BTC, base: 'ETH', quote: 'BTC', quoteRate: null } };
  const report = computeStats(input({ fills, symbols }));
  expect(report.stats).toMatchObject({ volume: 0, fees: null, trades: 1, expectancy: 0, exposurePct: null });
  expect(report.warnings).toContain('BTC has no known worth: fills in it count as 0 in volume, leverage and trades');
});

test('equity below zero leaves returns undefined and says so', () => {
  const report = computeStats(input({ points: dailyEquity([...RETURNS, -1.5, 0.1]) }));
  expect(report.stats).toMatchObject({ sharpe: null, omega: null, var95: null });
  expect(report.warnings).toContainEqual(expect.stringContaining('zero or less'));
});

test('a constant return has no Sharpe ratio, however small the rounding', () => {
  expect(stats({ points: dailyEquity(Array.from({ length: 30 }, () => 0.001)) }).sharpe).toBeNull();
});

test.each([
  ['an empty curve', { equity: new GrowingSeries() }],
  ['equity that is no number', { points: [[T0, Number.NaN]] as const }],
  ['an unknown symbol', { fills: [fill({ symbol: 'NOPE', side: 'buy', price: '1', quantity: '1' })] }],
])('%s is refused', (_, over) => {
  expect(() => computeStats(input(over))).toThrow(expect.objectContaining({ code: 'statistics_input' }));
});

test('what comes out of order is taken in order of time, and that is said', () => {
  const points = [...dailyEquity(RETURNS)];
  const fills = [
    fill({ ts: T0 + 1, side: 'buy', price: '100', quantity: '1' }),
    fill({ ts: T0 + 2, side: 'sell', price: '101', quantity: '1' }),
  ];
  const mids = {
    BTCUSDT: seriesOf([
      [T0, 100],
      [T0 + 1, 99],
      [T0 + 2, 102],
    ]),
  };
  const straight = computeStats(input({ points, fills, mids }));
  const mixed = computeStats({
    ...input({
      points,
      mids: {
        BTCUSDT: seriesOf([
          [T0 + 2, 102],
          [T0, 100],
          [T0 + 1, 99],
        ]),
      },
    }),
    fills: fills.toReversed(),
    equity: seriesOf([points[0]!, ...points.slice(1).toReversed()]),
  });
  expect(mixed.stats).toEqual(straight.stats);
  expect(straight.warnings).toEqual([]);
  expect(mixed.warnings).toEqual([expect.stringContaining('went back')]);
});

const dailyReturns = fc.array(
  fc.double({ min: -0.05, max: 0.05, noNaN: true }).map((r) => Math.round(r * 1e5) / 1e5),
  { minLength: 12, maxLength: 60 },
);

test('ratios do not depend on the size of the account', () => {
  fc.assert(
    fc.property(dailyReturns, fc.double({ min: 0.01, max: 1000, noNaN: true }), (returns, scale) => {
      const small = stats({ points: dailyEquity(returns, 1000) });
      const large = stats({ points: dailyEquity(returns, 1000 * scale) });
      for (const name of ['sharpe', 'sortino', 'omega', 'maxDrawdownPct', 'cagr', 'returnPct', 'psr'] as const) {
        const [one, other] = [small[name], large[name]];
        if (one === null || other === null) expect(other).toBe(one);
        else expect(Math.abs(other - one), name).toBeLessThan(1e-9 + 5e-6 * Math.abs(one));
      }
    }),
    // Returns that cancel each other: what is left of their mean is rounding.
    { examples: [[[-0.05, 0.05, 0.05, 0, 0, 0, 0.05, 0, 0, 0, 0, -0.05, 0, 0, -0.05], 0.01]] },
  );
});

test('no value is ever Infinity or NaN, whatever the input', () => {
  const anyFill = fc.record({
    ts: fc.constant(T0),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    price: fc.constantFrom('0.00000001', '1', '60000.5'),
    quantity: fc.constantFrom('0.00000001', '1', '1000000'),
    fee: fc.constantFrom('0', '-0.1', '5'),
    mid: fc.constantFrom(null, 0, 1),
    arrivalMid: fc.constantFrom(null, 0, 1),
    midAfter: fc.constantFrom(undefined, [null, 0, 1] as const),
  });
  const equity = fc.array(fc.constantFrom(0, -1, 1e-9, 1, 100, 1e15), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(equity, fc.array(anyFill, { maxLength: 8 }), (values, rows) => {
      const points = values.map((value, i) => [T0 + i * DAY, value] as const);
      const fills = rows.map(({ midAfter, ...row }) => fill(midAfter === undefined ? row : { ...row, midAfter }));
      for (const [name, value] of Object.entries(stats({ points, fills }))) {
        for (const number of Array.isArray(value) ? value : [value]) {
          expect(number === null || Number.isFinite(number), `${name} is ${String(value)}`).toBe(true);
        }
      }
    }),
  );
});

test('the names are those of docs/metrics.md and of the report', () => {
  const names = Object.keys(stats({})).toSorted();
  expect(metricRows.map((row) => row.name).toSorted()).toEqual(names);
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const documented = [...page.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? '');
  expect(documented.toSorted()).toEqual(names);
});
