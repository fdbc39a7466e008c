/**
 * History from the exchange's candles: closed ones, and the one that is forming at the start, which the session completes.
 * After a failure strategies of candles warm up on live data.
 */
import type { Exchange } from '../../exchange/exchange.ts';
import { candleIntervalsMs, type CandleInterval, type CandleRow } from '../../exchange/wire/market/market-data.ts';
import { CandleAggregator } from '../../model/market/candle-aggregator.ts';
import { EMPTY_RUN_MAX } from '../../model/market/candle-builder.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { Logger } from '../../model/ports.ts';
import type { Candle } from '../../model/market/views.ts';
import type { HistoryNeed } from '../../strategy/definition.ts';
import type { PreparedStrategy } from '../strategies.ts';
import { byTag, historiesOf, shortHistories, type Warmup } from './warmup.ts';

const LIMIT_MAX = 1000;
/** Requests for one history. */
const PAGES_MAX = 20;

interface Source {
  readonly interval: CandleInterval;
  readonly intervalMs: number;
}

/** The longest offered interval that makes up the wanted one. */
function sourceOf(wantedMs: number): Source | undefined {
  const all = Object.entries(candleIntervalsMs).filter(([, intervalMs]) => wantedMs % intervalMs === 0);
  const [longest] = all.toSorted(([, left], [, right]) => right - left);
  return longest && { interval: longest[0] as CandleInterval, intervalMs: longest[1] };
}

/** Oldest first, back from now until there are enough. */
async function rowsOf(
  { marketData }: Pick<Exchange, 'marketData'>,
  { symbol }: HistoryNeed,
  { interval, intervalMs }: Source,
  rows: number,
): Promise<readonly CandleRow[] | Error> {
  let all: readonly CandleRow[] = [];
  for (let page = 0; page < PAGES_MAX && all.length < rows; page++) {
    const limit = Math.min(LIMIT_MAX, rows - all.length);
    const before = all[0]?.openTime ?? Number.POSITIVE_INFINITY;
    const older = all.length === 0 ? {} : { to: before - 1 };
    const answer = await marketData.candles({ symbol, interval, limit, ...older });
    if (answer.kind === 'failed') return answer.error;
    const fresh = answer.value.filter(({ openTime }) => openTime < before);
    if (fresh.length === 0) break;
    all = filled([...fresh.toSorted((left, right) => left.openTime - right.openTime), ...all], intervalMs);
  }
  return all;
}

/** As `market.candles` has them: an interval without a trade repeats the close, with volume 0. */
function filled(rows: readonly CandleRow[], intervalMs: number): readonly CandleRow[] {
  const all: CandleRow[] = [];
  for (const row of rows) {
    const last = all.at(-1);
    const missing = last === undefined ? 0 : (row.openTime - last.openTime) / intervalMs - 1;
    if (last !== undefined && missing > 0 && missing <= EMPTY_RUN_MAX) {
      const { close } = last;
      const empty = { open: close, high: close, low: close, close, volume: 0, closed: true };
      for (let at = 1; at <= missing; at++) all.push({ ...empty, openTime: last.openTime + at * intervalMs });
    }
    all.push(row);
  }
  return all;
}

/** Candles of the wanted interval; the last may be forming. */
function joined(
  rows: readonly CandleRow[],
  instrument: Instrument,
  source: Source,
  wantedMs: number,
): readonly Candle[] {
  const { symbol } = instrument;
  const { intervalMs } = source;
  if (intervalMs === wantedMs) return rows.map((row) => Object.freeze({ ...row, symbol, intervalMs }));
  const byOpen = new Map<number, Candle>();
  const aggregator = new CandleAggregator(symbol, wantedMs, (candle) => byOpen.set(candle.openTime, candle));
  // A candle that begins before the rows do lacks its first part.
  const whole = rows.filter(({ openTime }) => openTime - (openTime % wantedMs) >= (rows[0]?.openTime ?? 0));
  for (const row of whole)
    aggregator.onCandle({ ...row, kind: 'candle', instrument, intervalMs, closed: true, exchangeUs: 0, receiveUs: 0 });
  const last = whole.at(-1);
  const isForming = last !== undefined && !last.closed;
  return [...byOpen.values()].map((candle) =>
    isForming && last.openTime < candle.openTime + wantedMs && last.openTime >= candle.openTime
      ? Object.freeze({ ...candle, closed: false })
      : candle,
  );
}

export async function exchangeWarmup(
  exchange: Pick<Exchange, 'marketData'>,
  strategies: readonly PreparedStrategy[],
  instrumentOf: (symbol: string) => Instrument | undefined,
  logger: Pick<Logger, 'warn'>,
): Promise<Warmup> {
  const needs = historiesOf(strategies);
  const kept = [];
  for (const need of needs) {
    const { tag, symbol, interval, intervalMs, count } = need;
    const source = sourceOf(intervalMs);
    const instrument = instrumentOf(symbol);
    if (source === undefined || instrument === undefined) {
      logger.warn(
        { symbol, interval },
        `the exchange has no candles that make ${interval}: ${tag} starts without them`,
      );
      continue;
    }
    const parts = intervalMs / source.intervalMs;
    const rows = await rowsOf(exchange, need, source, (count + 1) * parts + (parts > 1 ? parts : 0));
    if (rows instanceof Error) {
      logger.warn({ symbol, interval }, `no candles to warm up ${tag}: ${rows.message}`);
      continue;
    }
    kept.push({ tag, symbol, candles: lastCandles(joined(rows, instrument, source, intervalMs), count) });
  }
  const warmup = byTag(kept);
  for (const short of shortHistories(needs, warmup, 'the exchange has no more')) logger.warn({}, short);
  return warmup;
}

/** The last closed ones, and the forming one. */
function lastCandles(candles: readonly Candle[], count: number): readonly Candle[] {
  return [...candles.filter(({ closed }) => closed).slice(-count), ...candles.filter(({ closed }) => !closed)];
}
