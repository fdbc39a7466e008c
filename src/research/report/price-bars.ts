/** Price chart of one symbol: regular bars with fills. Thinning keeps highs and lows. */
import { alignDown } from '../../model/time.ts';
import type { ChartPrices, ChartSeries, ResultDocument, ResultNote } from '../../session/result/result.ts';
import type { OrderLine, OrderLines } from './order-lines.ts';
import { noteMarks, plottedLines, type NoteMark, type PlottedLine } from './plotted.ts';
import type { PositionSteps } from './positions.ts';

export interface PriceChart {
  readonly symbol: string;
  readonly intervalMs: number;
  /** `line` where bars hold too few points. */
  readonly style: 'candles' | 'line';
  readonly precision: number;
  /** Seconds. */
  readonly time: number[];
  readonly open: number[];
  readonly high: number[];
  readonly low: number[];
  readonly close: number[];
  /** At the end of each bar; empty without any position. */
  readonly position: number[];
  readonly fills: readonly FillMark[];
  readonly fillCount: number;
  readonly orders: readonly OrderLine[];
  readonly orderCount: number;
  readonly plots: readonly PlottedLine[];
  readonly notes: readonly NoteMark[];
}

/** One fill, or all of a bar and side at their average price. */
export interface FillMark {
  /** Seconds; for several the bar's start. */
  time: number;
  side: 'buy' | 'sell';
  price: number;
  count: number;
  quantity: number;
  /** Index of the compared result. */
  source?: number;
}

const MAX_BARS = 1500;
/** More fills are merged by bar and side. */
export const FILLS_MAX = 4000;
const STEPS_MS = [100, 250, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000]
  .concat([1, 2, 5, 10, 15, 30, 60, 120, 240, 360, 720].map((minutes) => minutes * 60_000))
  .concat([1, 2, 7, 14, 28].map((days) => days * 86_400_000));

type Row = readonly [ts: number, open: number, high: number, low: number, close: number];

export interface OnPrices {
  readonly fills: ResultDocument['fills'];
  readonly orders?: OrderLines;
  readonly positions?: readonly PositionSteps[];
  readonly series?: readonly ChartSeries[];
  readonly notes?: readonly ResultNote[];
}

export function priceChart(prices: ChartPrices, on: OnPrices): PriceChart {
  const { fills, orders, positions = [], series = [], notes = [] } = on;
  const rows = rowsOf(prices);
  const own = fills.filter((fill) => fill.symbol === prices.symbol);
  const intervalMs = intervalOf(rows, prices.kind === 'candles' ? prices.intervalMs : 0);
  const bars = prices.kind === 'line' ? carried(aggregate(rows, intervalMs), intervalMs) : aggregate(rows, intervalMs);
  const grid = { starts: bars.map(([start]) => start), intervalMs };
  const precision = precisionOf(own, rows);
  const column = (index: 1 | 2 | 3 | 4): number[] => bars.map((bar) => Number(bar[index].toFixed(precision + 1)));
  return {
    symbol: prices.symbol,
    intervalMs,
    style: prices.kind === 'candles' || rows.length >= bars.length * 3 ? 'candles' : 'line',
    precision,
    time: bars.map((bar) => bar[0] / 1000),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    position: positionColumn(positions.find(({ symbol }) => symbol === prices.symbol)?.steps ?? [], bars, intervalMs),
    fills: own.length > FILLS_MAX ? marksOf(own, bars, intervalMs) : marksAlone(own, bars, intervalMs),
    fillCount: own.length,
    orders: orders?.lines ?? [],
    orderCount: orders?.total ?? 0,
    plots: plottedLines(series, prices.symbol, grid),
    notes: noteMarks(notes, grid),
  };
}

function rowsOf(prices: ChartPrices): readonly Row[] {
  if (prices.kind === 'line') return prices.points.map(([ts, mid]) => [ts, mid, mid, mid, mid]);
  return prices.rows.map(([ts, open, high, low, close]) => [ts, open, high, low, close]);
}

function intervalOf(rows: readonly Row[], smallest: number): number {
  const first = rows[0];
  const last = rows[rows.length - 1];
  if (first === undefined || last === undefined) return Math.max(smallest, 1000);
  const span = last[0] - first[0];
  const dense = span / Math.max(1, rows.length - 1);
  const wanted = Math.max(smallest, span / MAX_BARS, Math.min(dense, 1000));
  return STEPS_MS.find((step) => step >= wanted && (smallest === 0 || step % smallest === 0)) ?? Math.ceil(wanted);
}

/** Fills bars without a point with the last close. */
function carried(bars: readonly Row[], intervalMs: number): Row[] {
  const whole: Row[] = [];
  for (const bar of bars) {
    const last = whole[whole.length - 1];
    for (let ts = (last ?? bar)[0] + intervalMs; last !== undefined && ts < bar[0]; ts += intervalMs) {
      whole.push([ts, last[4], last[4], last[4], last[4]]);
    }
    whole.push(bar);
  }
  return whole;
}

function aggregate(rows: readonly Row[], intervalMs: number): Row[] {
  const bars: [number, number, number, number, number][] = [];
  for (const [ts, open, high, low, close] of rows) {
    const start = alignDown(ts, intervalMs);
    const bar = bars[bars.length - 1];
    if (bar === undefined || start > bar[0]) {
      bars.push([start, open, high, low, close]);
      continue;
    }
    bar[2] = Math.max(bar[2], high);
    bar[3] = Math.min(bar[3], low);
    bar[4] = close;
  }
  return bars;
}

/** Decimals of traded prices, else by size of the price. */
function precisionOf(fills: ResultDocument['fills'], rows: readonly Row[]): number {
  let places = 0;
  for (const { price } of fills) places = Math.max(places, price.length - (price.indexOf('.') + 1 || price.length));
  if (places > 0) return Math.min(places, 10);
  const price = Math.abs(rows[0]?.[4] ?? 1);
  return price >= 1 ? 2 : Math.min(10, 2 - Math.floor(Math.log10(price || 1)));
}

/** Skips fills before the first bar. */
function marksAlone(fills: ResultDocument['fills'], bars: readonly Row[], intervalMs: number): FillMark[] {
  const first = bars[0];
  return first === undefined ? [] : fills.filter(({ ts }) => ts >= first[0] - intervalMs).map(markOf);
}

function markOf({ ts, side, price, quantity }: ResultDocument['fills'][number]): FillMark {
  return { time: ts / 1000, side, price: Number(price), count: 1, quantity: Number(quantity) };
}

function positionColumn(steps: PositionSteps['steps'], bars: readonly Row[], intervalMs: number): number[] {
  if (steps.every(([, quantity]) => quantity === 0)) return [];
  let at = 0;
  return bars.map(([start]) => {
    while (at < steps.length && steps[at]![0] < start + intervalMs) at++;
    return steps[at - 1]?.[1] ?? 0;
  });
}

function marksOf(fills: ResultDocument['fills'], bars: readonly Row[], intervalMs: number): FillMark[] {
  const marks = new Map<string, FillMark>();
  let at = 0;
  for (const fill of fills) {
    while (at + 1 < bars.length && bars[at + 1]![0] <= fill.ts) at++;
    const bar = bars[at];
    if (bar === undefined || fill.ts < bar[0] - intervalMs) continue;
    const key = `${at}${fill.side}`;
    const quantity = Number(fill.quantity);
    const price = Number(fill.price);
    const mark = marks.get(key);
    if (mark === undefined) {
      marks.set(key, { time: bar[0] / 1000, side: fill.side, price, count: 1, quantity });
      continue;
    }
    const total = mark.quantity + quantity;
    mark.price = total > 0 ? (mark.price * mark.quantity + price * quantity) / total : price;
    mark.quantity = total;
    mark.count++;
  }
  return [...marks.values()];
}
