/**
 * Closed candles from before the start: what a definition declares, and what `market.history` answers of it. A list holds
 * the candles of one symbol in the order of their closes, of several intervals, perhaps with forming ones at its end.
 */
import { parseDuration } from '../../model/time.ts';
import type { Candle } from '../../model/market/views.ts';
import type { CandleFrame, HistoryNeed } from '../definition.ts';
import { describe } from '../action-shape.ts';
import { strategyErrors } from '../errors.ts';

export type WarmupCandles = ReadonlyMap<string, readonly Candle[]>;

/** As a strategy declares it: `{symbol: 'BTCUSDT', interval: '1m', candles: 200}`. */
export interface WarmupSpec {
  readonly symbol: string;
  /** A duration: `'1m'`, `'1h'`. */
  readonly interval: string;
  /** A whole number above 0. */
  readonly candles: number;
}

/** The sentence of what is wrong, or the needs. */
export function historyNeeds(specs: readonly WarmupSpec[]): readonly HistoryNeed[] | string {
  const needs: HistoryNeed[] = [];
  if (!isListOfObjects(specs))
    return `warmup must answer an array such as [{ symbol: 'BTCUSDT', interval: '1m', candles: 50 }], got ${describe(specs)}`;
  for (const { symbol, interval, candles } of specs) {
    const intervalMs = parseDuration(interval);
    if (!(intervalMs > 0)) return `warmup: interval must be a duration such as '1m', got ${describe(interval)}`;
    if (!(Number.isSafeInteger(candles) && candles > 0))
      return `warmup: candles must be a whole number above 0, got ${describe(candles)}`;
    needs.push({ symbol, interval, intervalMs, count: candles });
  }
  return needs;
}

function isListOfObjects(specs: unknown): boolean {
  return Array.isArray(specs) && specs.every((spec) => typeof spec === 'object' && spec !== null);
}

/** Earlier closes first; of equal ones the longest, so that no reader gets a longer candle late. */
export function byClose(left: Candle, right: Candle): number {
  return left.openTime + left.intervalMs - (right.openTime + right.intervalMs) || right.intervalMs - left.intervalMs;
}

/** The last `warmup` closed candles of each frame, in the order of their closes. */
export function closedBefore(candles: readonly Candle[], frames: readonly CandleFrame[]): readonly Candle[] {
  return frames.flatMap(({ intervalMs, warmup }) => lastOf(candles, intervalMs, warmup)).toSorted(byClose);
}

export function lastOf(candles: readonly Candle[], intervalMs: number, count: number): readonly Candle[] {
  const own = candles.filter((candle) => candle.closed && candle.intervalMs === intervalMs);
  return own.slice(Math.max(0, own.length - count));
}

/** Throws `strategy_history_undeclared`. */
export function requireDeclared(
  needs: readonly HistoryNeed[],
  { symbol, interval, intervalMs, count }: HistoryNeed,
): void {
  const declared = needs.filter((need) => need.symbol === symbol && need.intervalMs === intervalMs);
  const most = Math.max(0, ...declared.map((need) => need.count));
  if (count <= most) return;
  const asked = `market.history('${symbol}', '${interval}', ${count})`;
  const has = most === 0 ? 'nothing of it' : `${most} candles`;
  throw strategyErrors.make('strategy_history_undeclared', `${asked}: the definition's warmup declares ${has}`, {
    symbol,
    interval,
    count,
    declared: most,
  });
}
