import { expect, test } from 'vitest';
import { buyAndHold } from '../../../src/research/report/benchmark.ts';
import { calendarOf } from '../../../src/research/report/calendar.ts';
import { caveatsOf, lettered, shareCalendar } from '../../../src/research/report/compare/compared.ts';
import { renderComparison } from '../../../src/research/report/compare/render.ts';
import { histogramOf } from '../../../src/research/report/histogram.ts';
import { symbolsOf } from '../../../src/research/report/instruments.ts';
import { ORDERS_MAX, orderLines } from '../../../src/research/report/order-lines.ts';
import { pack } from '../../../src/research/report/packed.ts';
import { histogramSvg } from '../../../src/research/report/sections/histogram-svg.ts';
import { programSection } from '../../../src/research/report/sections/programs.ts';
import { pnlBars } from '../../../src/research/report/pnl-bars.ts';
import { positionSteps, strategySteps, timeShares } from '../../../src/research/report/positions.ts';
import { ratedFills, tradeGroups } from '../../../src/research/report/trade-groups.ts';
import type { ResultDocument } from '../../../src/session/result/result.ts';
import { matchTrades } from '../../../src/statistics/trades.ts';
import { valuesOf } from '../../../src/statistics/valuation.ts';
import { sampleResult, T0 } from './sample-result.ts';

const HOUR = 3_600_000;

test('packed numbers come back within half a step', () => {
  const values = [100_000.25, 99_998.5, 100_003.75];
  const { low, step, data } = pack(values);
  const bytes = Buffer.from(data, 'base64');
  const back = values.map((_, index) => low + step * bytes.readUInt32LE(index * 4));
  for (const [index, value] of values.entries()) expect(Math.abs(back[index]! - value)).toBeLessThanOrEqual(step / 2);
  expect(pack([T0, T0 + 5], 1)).toMatchObject({ low: T0, step: 1 });
  expect(pack([7, 7])).toMatchObject({ low: 7, step: 1 });
});

test('buying and holding moves with the price from the starting equity, in equal parts', () => {
  const line = (symbol: string, last: number) =>
    ({ kind: 'line', symbol, points: [[T0, 100] as [number, number], [T0 + 1000, last] as [number, number]] }) as const;
  const result = { ...sampleResult({ fillEvery: 0 }), chart: { prices: [line('A', 110), line('B', 80)] } };
  expect(buyAndHold(result)).toMatchObject({ symbols: ['A', 'B'] });
  expect(buyAndHold(result)!.value.at(-1)).toBeCloseTo(100_000 * (1 + (0.1 - 0.2) / 2), 6);
  const { chart: _, ...without } = result;
  expect(buyAndHold(without)).toBeNull();
});

test('a calendar has the return of each cell over the equity at its start', () => {
  const start = Date.UTC(2024, 0, 1);
  const points = [
    [start, 100],
    [start + HOUR, 110],
    [start + HOUR + 1, 121],
    [start + 25 * HOUR, 60.5],
  ] as const;
  const calendar = calendarOf(points, start, start + 26 * HOUR)!;
  expect(calendar.name).toBe('hour');
  expect(calendar.rows.map(({ label }) => label)).toEqual(['2024-01-01', '2024-01-02']);
  expect(calendar.rows[0]!.cells.slice(0, 3)).toEqual([expect.closeTo(10, 9), expect.closeTo(10, 9), null]);
  expect(calendar.rows[1]!.total).toBeCloseTo(-50, 9);
  expect(calendarOf(points, start, start + 60 * 24 * HOUR)!.name).toBe('month');
  expect(calendarOf(points, start, start + HOUR)).toBeNull();
});

test('a histogram counts every value, with an edge at zero', () => {
  const { bins, mean, median } = histogramOf([-3, -1, -0.5, 0, 2, 2, 9])!;
  expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(7);
  expect(bins.some(({ from }) => from === 0)).toBe(true);
  expect([mean, median]).toEqual([8.5 / 7, 0]);
  expect(histogramOf([5, 5])!.bins).toHaveLength(1);
  expect(histogramOf([])).toBeNull();
});

test('edges of a histogram have the digits that tell them apart, and noise is no spread', () => {
  const ticks = (values: readonly number[]): string[] => {
    const drawing = histogramSvg(histogramOf(values)!, 'Slippage', 'bps', 'below').text;
    return [...drawing.matchAll(/text-anchor="(?:start|middle|end)"\s*>([^<]*)</g)].map(([, text]) => text!).slice(2);
  };
  expect(ticks([0.99986, 1, 1.0012])).toEqual(['0.99985', '1.00125']);
  expect(ticks([-140, 3, 70])).toEqual(['−140', '0', '80']);
  expect(histogramOf([1, 1 + 1e-13, 1 - 1e-13])!.bins.length).toBeLessThanOrEqual(2);
});

test('a point on a boundary is of the period that ends there, and begins none', () => {
  const { starts, pnl } = pnlBars(
    [
      [0, 100],
      [HOUR, 101],
      [4 * HOUR, 104],
    ],
    0,
    4 * HOUR,
  );
  expect([starts, pnl]).toEqual([
    [0, 3 * HOUR],
    [1, 3],
  ]);
});

test('time is long, short or none', () => {
  const result = sampleResult();
  const positions = positionSteps(valuesOf(result.fills, symbolsOf(result)));
  const [shares] = timeShares(positions, result.period.from, result.period.to);
  expect(shares!.long + shares!.short + shares!.flat).toBeCloseTo(1, 12);
  // Bought at 3 s, sold at 6 s, and so on: ten times three of sixty seconds.
  expect(shares).toMatchObject({ symbol: 'BTCUSDT', long: expect.closeTo(0.5, 12), short: 0 });
});

test('fills and trades by tag add up to all of them', () => {
  const base = sampleResult();
  const fills = base.fills.map((fill, index) => ({ ...fill, tag: index % 4 < 2 ? 'near' : 'far' }));
  const values = valuesOf(fills, symbolsOf(base));
  const trades = matchTrades(values);
  const groups = tradeGroups(ratedFills(values), trades, 'tag');
  expect(Object.fromEntries(groups.map(({ name, trades: number }) => [name, number]))).toEqual({ far: 5, near: 5 });
  expect(groups.reduce((sum, { pnl }) => sum + pnl, 0)).toBeCloseTo(
    trades.reduce((sum, { pnl }) => sum + pnl, 0),
    9,
  );
  expect(groups.reduce((sum, { fees }) => sum + fees, 0)).toBeCloseTo(1.2, 9);
});

test('a tag that two strategies give is told apart, and each has its own time in market', () => {
  const base = sampleResult({ fillEvery: 5 });
  const owned = base.fills.map((fill, index) => ({ ...fill, tag: 'entry', strategy: index % 2 ? 'cross' : 'maker' }));
  const values = valuesOf(owned, symbolsOf(base));
  const trades = matchTrades(values);
  expect(trades).toEqual([]);
  const groups = tradeGroups(ratedFills(values), trades, 'tag');
  expect(groups.map(({ name }) => name).toSorted()).toEqual(['cross entry', 'maker entry']);
  const shares = timeShares(strategySteps(values), base.period.from, base.period.to);
  // The one buys for the first time after 5 s, the other sells after 10 s, and neither closes what it holds.
  expect(shares).toMatchObject([
    { strategy: 'maker', long: expect.closeTo(55 / 60, 12), short: 0 },
    { strategy: 'cross', long: 0, short: expect.closeTo(50 / 60, 12) },
  ]);
});

test('of too many orders the filled ones are drawn, and open ones reach to the end', () => {
  const base = sampleResult();
  const order = (index: number, over: Partial<ResultDocument['orders'][number]>) => ({
    ref: `o-${index}`,
    tag: 'maker',
    symbol: 'BTCUSDT',
    side: 'buy' as const,
    type: 'limit',
    timeInForce: 'GTC',
    price: '60000',
    quantity: '1',
    filledQuantity: '0',
    averagePrice: null,
    state: 'canceled',
    createdTs: T0 + index,
    updatedTs: T0 + index + 1,
    parent: null,
    leg: null,
    ...over,
  });
  const orders = Array.from({ length: ORDERS_MAX + 500 }, (_, index) => order(index, {}));
  orders.push(order(9000, { state: 'open', filledQuantity: '0.5' }), order(9001, { state: 'rejected' }));
  const { lines, total } = orderLines({ ...base, orders }, 'BTCUSDT');
  expect(total).toBe(ORDERS_MAX + 501);
  expect(lines).toHaveLength(ORDERS_MAX);
  expect(lines.at(-1)).toEqual({ from: T0 + 9000, to: base.period.to, price: 60_000, side: 'buy' });
});

test('a comparison says what forbids it, and gives amounts of other currencies no difference', () => {
  const a = sampleResult();
  const later = { from: a.period.from + 10 * HOUR, to: a.period.to + 12 * HOUR };
  const b: ResultDocument = { ...sampleResult({ fillEvery: 5 }), currency: 'EUR', command: 'run', period: later };
  const compared = lettered([
    { name: 'a.json', result: a },
    { name: 'b.json', result: b },
  ]);
  expect(shareCalendar(compared)).toBe(false);
  const caveats = caveatsOf(compared).join('\n');
  expect(caveats).toContain('The currencies differ (A: USDT; B: EUR)');
  expect(caveats).toContain('Real and simulated fills');
  expect(caveats).toContain('The periods differ');
  expect(caveats).toContain('hardly overlap');
  expect(caveatsOf(lettered([compared[0]!, compared[0]!]))).toEqual([]);
  const feesGap = /Fees<small>[^]*?<td class="n"><span>1\.20<\/span><\/td>\s*<td class="n">([^]*?)<\/td>/;
  expect(feesGap.exec(renderComparison(compared))?.[1]).toBe('<span>0.720</span>');
  const same = renderComparison([compared[0]!, { name: 'c.json', result: { ...b, currency: 'USDT' } }]);
  expect(feesGap.exec(same)?.[1]).toContain('<small>−0.480</small>');
});

test('order programs have a table, with their orders by leg, and no text of theirs is markup', () => {
  const order = {
    ref: 'o',
    tag: 't',
    symbol: 'BTCUSDT',
    side: 'sell',
    type: 'limit',
    timeInForce: 'gtc',
    price: '1',
  } as const;
  const times = { quantity: '1', filledQuantity: '1', averagePrice: '1', createdTs: T0, updatedTs: T0 };
  const program = { ref: 'guard', kind: 'bracket', strategy: 's', symbol: 'BTCUSDT', state: 'failed' } as const;
  const rest = {
    quantity: '2',
    filled: '2',
    averagePrice: '60000',
    startedAt: T0,
    endedAt: T0 + 5_000,
    children: ['o'],
  };
  const result: ResultDocument = {
    ...sampleResult({ fillEvery: 0 }),
    programs: [{ ...program, ...rest, reason: '<b>no</b>' }],
    orders: (['filled', 'canceled'] as const).map((state) => ({
      ...order,
      ...times,
      state,
      parent: 'guard',
      leg: 'takeProfit:1',
    })),
  };
  const text = programSection(result)?.text ?? '';
  expect(text).toContain('takeProfit:1 1/2');
  expect(text).toContain('2 of 2');
  expect(text).toContain('failed: &lt;b&gt;no');
  expect(programSection(sampleResult({ fillEvery: 0 }))).toBeNull();
});
