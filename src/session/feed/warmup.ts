/** Warm-up candles of a backtest, equal to those of a run over the whole data. */
import { isTidewireError } from '../../model/errors.ts';
import { Instruments } from '../../model/market/instrument.ts';
import { msOf, usOf } from '../../model/time.ts';
import type { Candle } from '../../model/market/views.ts';
import { openTape } from '../../recording/tape/open-tape.ts';
import type { OpenTapeOptions, Tape } from '../../recording/tape/tape.ts';
import { VirtualClock } from '../../simulation/clock/virtual-clock.ts';
import type { HistoryNeed } from '../../strategy/definition.ts';
import { byClose, lastOf } from '../../strategy/context/history.ts';
import { MarketData } from '../../streams/market-data.ts';
import type { CandlesState } from '../../streams/feeds/symbol-candles.ts';
import type { PreparedStrategy } from '../strategies.ts';

/** Tag → symbol → candles, oldest first. */
export type Warmup = ReadonlyMap<string, ReadonlyMap<string, readonly Candle[]>>;

/** Others than the run's would recompile the cache. */
type ReadOptions = Pick<OpenTapeOptions, 'baseLatencyUs' | 'shared'>;

export interface History {
  readonly warmup: Warmup;
  readonly forming: ReadonlyMap<string, CandlesState>;
}

interface KeptCandles {
  readonly tag: string;
  readonly symbol: string;
  readonly candles: readonly Candle[];
}

/** In the order of their closes. */
export function byTag(kept: readonly KeptCandles[]): Warmup {
  const warmup = new Map<string, Map<string, readonly Candle[]>>();
  for (const { tag, symbol, candles } of kept) {
    const own = warmup.get(tag) ?? new Map<string, readonly Candle[]>();
    warmup.set(tag, own);
    own.set(symbol, [...(own.get(symbol) ?? []), ...candles].toSorted(byClose));
  }
  return warmup;
}

export interface TaggedNeed extends HistoryNeed {
  readonly tag: string;
  /** For a candle strategy, whose session fills missing candles. */
  readonly isFilled: boolean;
}

export function historiesOf(strategies: readonly PreparedStrategy[]): readonly TaggedNeed[] {
  return strategies.flatMap(({ tag, loaded: { definition }, params }) => {
    const isFilled = definition.candleNeeds(params) !== null;
    return definition.history(params).map((need) => ({ ...need, tag, isFilled }));
  });
}

const NOTHING: History = { warmup: new Map(), forming: new Map() };

export interface AskedHistory {
  readonly data: readonly string[];
  readonly strategies: readonly PreparedStrategy[];
  readonly fromMs?: number;
  /** As it was recorded. */
  readonly warmup?: Warmup;
}

export async function historyOf(asked: AskedHistory, read: ReadOptions): Promise<History> {
  const { data, strategies, fromMs, warmup } = asked;
  if (warmup !== undefined) return { warmup, forming: new Map() };
  return warmupCandles(data, strategies, fromMs, read);
}

async function warmupCandles(
  data: readonly string[],
  strategies: readonly PreparedStrategy[],
  fromMs: number | undefined,
  read: ReadOptions,
): Promise<History> {
  const needs = historiesOf(strategies);
  if (fromMs === undefined || needs.length === 0) return NOTHING;
  const span = Math.max(...needs.map(({ count, intervalMs }) => (count + 2) * intervalMs));
  const tape = await tapeBefore(data, { ...read, fromMs: fromMs - span, toMs: fromMs });
  if (tape === null) return NOTHING;
  try {
    const clock = new VirtualClock(Number.isFinite(tape.fromUs) ? tape.fromUs : 0);
    const market = new MarketData({
      instruments: new Instruments(tape.instruments.map(({ spec }) => spec)),
      clock,
      sequenceRule: (symbol) => tape.rules.get(symbol) ?? 'none',
      bookStart: (symbol) => (tape.withSnapshot.has(symbol) ? 'snapshot' : 'updates'),
    });
    // The longest first, as in the run.
    const kept: KeptCandles[] = [];
    for (const { tag, symbol, interval, count } of needs.toSorted((a, b) => b.intervalMs - a.intervalMs)) {
      const candles: Candle[] = [];
      market.candles(symbol, interval).subscribe((candle) => {
        candles.push(candle);
        if (candles.length > count) candles.shift();
      });
      kept.push({ tag, symbol, candles });
    }
    const cursor = tape.cursor('receive');
    const fromUs = usOf(fromMs);
    while (cursor.nextUs < Infinity) {
      // A late event belongs to the earlier period.
      clock.advanceTo(Math.max(Math.min(cursor.nextUs, fromUs), clock.nowUs()));
      market.onEvent(cursor.next());
    }
    const forming = market.candlesAt(fromUs);
    market.close();
    return { warmup: byTag(kept), forming };
  } finally {
    tape.close();
  }
}

async function tapeBefore(data: readonly string[], options: OpenTapeOptions): Promise<Tape | null> {
  try {
    return await openTape(data, options);
  } catch (thrown) {
    if (isTidewireError(thrown) && thrown.code === 'recording_empty') return null;
    throw thrown;
  }
}

export interface AskedRun {
  readonly strategies: readonly PreparedStrategy[];
  readonly fromMs?: number;
  readonly startAtMs?: number;
  readonly repeat: number;
}

/**
 * Start of a run over all data whose first part is then the history of stream strategies: Unix ms, on a boundary.
 * Undefined if no history is needed, or the data end before.
 */
export function afterHistory(run: AskedRun, tape: Tape): number | undefined {
  if (run.fromMs !== undefined || run.startAtMs !== undefined || run.repeat > 1 || tape.counts.total === 0)
    return undefined;
  const needs = historiesOf(run.strategies).filter(({ isFilled }) => !isFilled);
  if (needs.length === 0) return undefined;
  const candlesFromMs = msOf(candlesFromUs(tape, new Set(needs.map(({ symbol }) => symbol))));
  const ends = needs.map(({ count, intervalMs }) => (Math.ceil(candlesFromMs / intervalMs) + count) * intervalMs);
  const start = Math.max(0, ...ends);
  return start > 0 && start < msOf(tape.toUs) ? start : undefined;
}

/** Marks, funding and books before it make no candle. */
function candlesFromUs(tape: Tape, symbols: ReadonlySet<string>): number {
  const cursor = tape.cursor('exchange');
  while (cursor.nextUs < Infinity) {
    const us = cursor.nextUs;
    const { kind, instrument } = cursor.next();
    if ((kind === 'candle' || kind === 'trade') && symbols.has(instrument.symbol)) return us;
  }
  return tape.fromUs;
}

/** A sentence for each history that `market.history` cannot answer in full. */
export function shortHistories(needs: readonly TaggedNeed[], warmup: Warmup, remedy: string): readonly string[] {
  return needs.flatMap(({ tag, symbol, interval, intervalMs, count, isFilled }) => {
    const has = lastOf(warmup.get(tag)?.get(symbol) ?? [], intervalMs, count).length;
    if (isFilled || has === count) return [];
    return [`${tag}: the history of ${symbol} ${interval} has ${has} of ${count} candles; ${remedy}`];
  });
}

/** What the histories of a backtest lack. Unix ms. */
export function historyWarnings(
  strategies: readonly PreparedStrategy[],
  history: History,
  period: { readonly from: number; readonly to: number },
): readonly string[] {
  const remedy = 'take earlier data, or a later --from';
  const short = shortHistories(historiesOf(strategies), history.warmup, remedy);
  return [...withoutDecision(strategies, history, period), ...short];
}

/** Strategies without a candle after their warm-up. */
function withoutDecision(
  strategies: readonly PreparedStrategy[],
  { warmup }: History,
  { from, to }: { readonly from: number; readonly to: number },
): readonly string[] {
  return strategies.flatMap(({ tag, loaded, params }) => {
    const needs = loaded.definition.candleNeeds(params);
    if (needs === null) return [];
    const known = needs.symbols.map((symbol) => warmup.get(tag)?.get(symbol) ?? []);
    for (const { interval, intervalMs, warmup: takes } of needs.frames) {
      const before = Math.max(0, ...known.map((candles) => lastOf(candles, intervalMs, takes).length));
      const most = before + Math.ceil((to - from) / intervalMs);
      // The shortest is the last: one candle more of it decides.
      if (most > takes || (most === takes && intervalMs !== needs.frames.at(-1)?.intervalMs)) continue;
      return `${tag} decided nothing: its warm-up takes ${takes} candles of ${interval}, and there are ${most} at most; take more data, shorter candles or a shorter warm-up`;
    }
    return [];
  });
}
