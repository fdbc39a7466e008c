/**
 * Warm-up candles of a backtest that starts in the middle of its data (strategy API, "Candles"): built from what lies
 * before `--from` by the same market data that the strategies use. The session goes on with the candle that was forming
 * then and with the last close, so that its candles are those of a run over the whole data. Without `--from`, and where
 * the data hold nothing before it, a strategy warms up on its first candles.
 */
import { isTidewireError } from '../model/errors.ts';
import { Instruments } from '../model/instrument.ts';
import { usOf } from '../model/time.ts';
import type { Candle } from '../model/views.ts';
import { openTape } from '../recording/open-tape.ts';
import type { OpenTapeOptions, Tape } from '../recording/tape.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import { MarketData } from '../streams/market-data.ts';
import type { CandlesState } from '../streams/symbol-candles.ts';
import type { PreparedStrategy } from './strategies.ts';

/** Tag → symbol → candles, oldest first. */
export type Warmup = ReadonlyMap<string, ReadonlyMap<string, readonly Candle[]>>;

/** As the run reads its tape: with others the cache would be compiled anew, for each of the two by turns. */
type ReadOptions = Pick<OpenTapeOptions, 'baseLatencyUs' | 'shared'>;

/** What a backtest knows when it begins. */
export interface History {
  readonly warmup: Warmup;
  /** By symbol: where the candles of the session go on. */
  readonly forming: ReadonlyMap<string, CandlesState>;
}

const NOTHING: History = { warmup: new Map(), forming: new Map() };

export async function warmupCandles(
  data: readonly string[],
  strategies: readonly PreparedStrategy[],
  fromMs: number | undefined,
  read: ReadOptions,
): Promise<History> {
  const needs = strategies.flatMap(({ tag, loaded, params }) => {
    const need = loaded.definition.candleNeeds(params);
    return need === null || need.warmup === 0 ? [] : [{ tag, ...need }];
  });
  if (fromMs === undefined || needs.length === 0) return NOTHING;
  const span = Math.max(...needs.map(({ warmup, intervalMs }) => (warmup + 2) * intervalMs));
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
    const kept = needs.map(({ tag, symbols, interval, warmup }) => {
      const bySymbol = new Map<string, Candle[]>();
      for (const symbol of symbols) {
        const candles: Candle[] = [];
        bySymbol.set(symbol, candles);
        market.candles(symbol, interval).subscribe((candle) => {
          candles.push(candle);
          if (candles.length > warmup) candles.shift();
        });
      }
      return [tag, bySymbol] as const;
    });
    const cursor = tape.cursor('receive');
    const fromUs = usOf(fromMs);
    while (cursor.nextUs < Infinity) {
      // What was received late happened before all the same: no candle may close that the period still adds to.
      clock.advanceTo(Math.max(Math.min(cursor.nextUs, fromUs), clock.nowUs()));
      market.onEvent(cursor.next());
    }
    const forming = market.candlesAt(fromUs);
    market.close();
    return { warmup: new Map(kept), forming };
  } finally {
    tape.close();
  }
}

/** Null where the data hold nothing of that time. */
async function tapeBefore(data: readonly string[], options: OpenTapeOptions): Promise<Tape | null> {
  try {
    return await openTape(data, options);
  } catch (thrown) {
    if (isTidewireError(thrown) && thrown.code === 'recording_empty') return null;
    throw thrown;
  }
}

/** Strategies that can have decided nothing, since the period has no candle after their warm-up; a sentence each. From, to: Unix ms. */
export function withoutDecision(
  strategies: readonly PreparedStrategy[],
  { warmup }: History,
  { from, to }: { readonly from: number; readonly to: number },
): readonly string[] {
  return strategies.flatMap(({ tag, loaded, params }) => {
    const need = loaded.definition.candleNeeds(params);
    if (need === null) return [];
    const before = Math.max(0, ...need.symbols.map((symbol) => warmup.get(tag)?.get(symbol)?.length ?? 0));
    const most = before + Math.ceil((to - from) / need.intervalMs);
    if (most > need.warmup) return [];
    return `${tag} decided nothing: its warm-up takes ${need.warmup} candles of ${need.interval}, and there are ${most} at most; take more data, shorter candles or a shorter warm-up`;
  });
}
