/**
 * Order of closed bars by symbol and interval. Doubled and unordered bars are not shown; missing, overlapping and empty
 * ones are counted.
 */
import type { CandleEvent } from '../../model/market/market-event.ts';
import { KnownOpens } from './known-opens.ts';

export interface BarSeries {
  readonly symbol: string;
  readonly intervalMs: number;
}

interface BarCount extends BarSeries {
  shown: number;
  readonly opens: KnownOpens;
  /** Unix ms of the open. */
  lastOpen: number;
  missing: number;
  /** Where the first is missing, Unix ms. */
  missingFrom: number;
  doubled: number;
  unordered: number;
  overlapping: number;
  empty: number;
}

export class BarOrder {
  readonly #counts = new Map<string, BarCount>();

  /** False: do not show the bar. */
  admits({ instrument: { symbol }, intervalMs, openTime, volume }: CandleEvent): boolean {
    const key = `${symbol}/${intervalMs}`;
    let count = this.#counts.get(key);
    if (count === undefined) this.#counts.set(key, (count = emptyCount(symbol, intervalMs)));
    const isFirst = count.shown === 0;
    const stepMs = openTime - count.lastOpen;
    if (!isFirst && stepMs <= 0) {
      if (count.opens.has(openTime)) count.doubled++;
      else count.unordered++;
      count.opens.add(openTime);
      return false;
    }
    if (!isFirst) countStep(count, stepMs);
    count.shown++;
    count.opens.add(openTime);
    count.lastOpen = openTime;
    if (volume === 0) count.empty++;
    return true;
  }

  get series(): readonly BarSeries[] {
    return [...this.#counts.values()].map(({ symbol, intervalMs }) => ({ symbol, intervalMs }));
  }

  /** One sentence per incomplete series. */
  warnings(): readonly string[] {
    return [...this.#counts.values()].flatMap((count) => {
      const parts = partsOf(count);
      return parts.length === 0 ? [] : [`${count.symbol}, bars of ${count.intervalMs / 1000} s: ${parts.join('; ')}`];
    });
  }
}

function countStep(count: BarCount, stepMs: number): void {
  const missing = Math.round(stepMs / count.intervalMs) - 1;
  if (stepMs < count.intervalMs) count.overlapping++;
  if (missing <= 0) return;
  if (count.missing === 0) count.missingFrom = count.lastOpen + count.intervalMs;
  count.missing += missing;
}

function partsOf({ missing, missingFrom, doubled, unordered, overlapping, empty, shown }: BarCount): readonly string[] {
  const parts: string[] = [];
  if (missing > 0) parts.push(`${missing} missing, the first at ${new Date(missingFrom).toISOString()}`);
  if (doubled > 0) parts.push(`${doubled} doubled and left out, the first of each is taken`);
  if (unordered > 0) parts.push(`${unordered} unordered and left out, they begin before one that stands above them`);
  if (overlapping > 0) parts.push(`${overlapping} overlapping, they begin before the one above them has closed`);
  if (empty > 0) parts.push(`${empty} of ${shown} have no volume: no order fills in them`);
  return parts;
}

function emptyCount(symbol: string, intervalMs: number): BarCount {
  return {
    symbol,
    intervalMs,
    shown: 0,
    opens: new KnownOpens(intervalMs),
    lastOpen: 0,
    missing: 0,
    missingFrom: 0,
    doubled: 0,
    unordered: 0,
    overlapping: 0,
    empty: 0,
  };
}
