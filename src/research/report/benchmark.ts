/** Buy and hold: starting equity in equal parts of the traded symbols, without costs. */
import type { ChartPrices, ResultDocument } from '../../session/result/result.ts';

export interface Benchmark {
  readonly symbols: readonly string[];
  readonly ts: number[];
  /** Reporting currency. */
  readonly value: number[];
}

type Point = readonly [ts: number, price: number];

/** Null without prices. Symbols with fills, else all. */
export function buyAndHold({ chart, fills, equity, period }: ResultDocument): Benchmark | null {
  const traded = new Set(fills.map(({ symbol }) => symbol));
  const prices = (chart?.prices ?? []).filter(({ symbol }) => traded.size === 0 || traded.has(symbol));
  const paths = prices.map((price) => ({ symbol: price.symbol, points: pathOf(price) }));
  const known = paths.filter(({ points }) => (points[0]?.[1] ?? 0) > 0);
  const start = equity[0]?.[1] ?? 0;
  if (known.length === 0 || !(start > 0)) return null;
  const part = start / known.length;
  const changes = known
    .flatMap(({ points }, index) => points.map(([ts, price]) => ({ ts, index, value: (part * price) / points[0]![1] })))
    .toSorted((a, b) => a.ts - b.ts);
  const parts = known.map(() => part);
  const result: Benchmark = { symbols: known.map(({ symbol }) => symbol), ts: [period.from], value: [start] };
  let sum = start;
  for (const { ts, index, value } of changes) {
    sum += value - parts[index]!;
    parts[index] = value;
    if (ts < period.from) continue;
    result.ts.push(ts);
    result.value.push(sum);
  }
  return result;
}

/** A candle's open is at its start, its close at its end. */
function pathOf(price: ChartPrices): readonly Point[] {
  if (price.kind === 'line') return price.points;
  return price.rows.flatMap(([ts, open, , , close]): Point[] => [
    [ts, open],
    [ts + price.intervalMs - 1, close],
  ]);
}
