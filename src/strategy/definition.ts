/** What a strategy file exports. The brand is a registered symbol, known to any copy of the module. */
import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { Action } from '../model/trading/action.ts';
import type { Candle } from '../model/market/views.ts';
import type { StrategyChart, StrategyContext } from './context/context.ts';
import type { SourceLocation } from './loading/location.ts';

export const STRATEGY_BRAND = Symbol.for('tidewire.strategy');

/** `signal`: SIGINT or SIGTERM; `end`: of `--for` or of the data; `error`: it threw. */
export type StopReason = 'signal' | 'end' | 'error';

/** One action, several in order, or none. */
export type Decision = Action | readonly Action[] | undefined | void;

/** Closed candles of one symbol and interval from before the start. */
export interface HistoryNeed {
  readonly symbol: string;
  /** A duration such as `'1m'`. */
  readonly interval: string;
  readonly intervalMs: number;
  readonly count: number;
}

/** One interval of a candle strategy. */
export interface CandleFrame {
  /** A duration such as `'1m'`. */
  readonly interval: string;
  readonly intervalMs: number;
  /** Candles of it before the first decision. */
  readonly warmup: number;
}

/** What a candle strategy runs on. */
export interface CandleNeeds {
  readonly symbols: readonly string[];
  /** At least one, the longest first. */
  readonly frames: readonly CandleFrame[];
}

/** Methods, so that a definition of any parameters is one of unknown ones. */
export interface StrategyDefinition<Params = unknown> {
  readonly [STRATEGY_BRAND]: true;
  readonly name: string;
  readonly params: z.ZodObject;
  /** Undefined without a stack. */
  readonly location: SourceLocation | undefined;
  /** A backtest waits for its promises instead of refusing them. */
  readonly allowAsync: boolean;
  /** An alarm rings for a position without an exit. */
  readonly protect: boolean;
  /** Traded symbols, if declared. */
  symbols(params: Params): readonly string[] | undefined;
  /** Null for stream strategies. */
  candleNeeds(params: Params): CandleNeeds | null;
  /** Candles to have at the start, those of a candle strategy included. */
  history(params: Params): readonly HistoryNeed[];
  setup(context: RunContext<Params>): Observable<Action | readonly Action[]> | void;
  onStop(reason: StopReason): Decision;
}

/** Adds what the candle path needs. */
export interface RunContext<Params> extends StrategyContext<Params> {
  /** Closed candles before the start, at most `warmup` of each frame, in the order of their closes. */
  warmupCandles(symbol: string, frames: readonly CandleFrame[]): Iterable<Candle>;
  /** The candle that was forming at the start, as the exchange had it. */
  begunCandle(symbol: string, intervalMs: number): Candle | undefined;
  chartOf(symbol: string): StrategyChart;
}

export function isStrategyDefinition(value: unknown): value is StrategyDefinition {
  return typeof value === 'object' && value !== null && STRATEGY_BRAND in value;
}
