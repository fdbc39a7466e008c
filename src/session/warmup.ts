/** Warm-up candles of a backtest, equal to those of a run over the whole data. */
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

/** Others than the run's would recompile the cache. */
type ReadOptions = Pick<OpenTapeOptions, 'baseLatencyUs' | 'shared'>;

export interface History {
  readonly warmup: Warmup;
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
      // A late event belongs to the earlier period.
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

async function tapeBefore(data: readonly string[], options: OpenTapeOptions): Promise<Tape | null> {
  try {
    return await openTape(data, options);
  } catch (thrown) {
    if (isTidewireError(thrown) && thrown.code === 'recording_empty') return null;
    throw thrown;
  }
}

/** Strategies without a candle after their warm-up. Unix ms. */
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
