/**
 * What a strategy file exports: the one form that stream and candle strategies are both brought to. Made by
 * `define.ts`, found by `load.ts`, started by `run.ts`. The brand is a registered symbol, so that a definition is
 * known whichever copy of the module made it.
 */
import type { Observable } from 'rxjs';
import type { z } from 'zod';
import type { Action } from '../model/action.ts';
import type { Candle } from '../model/views.ts';
import type { StrategyChart, StrategyContext } from './context.ts';
import type { SourceLocation } from './location.ts';

export const STRATEGY_BRAND = Symbol.for('tidewire.strategy');

/** Why a strategy is being stopped. `signal`: SIGINT or SIGTERM; `end`: of `--for` or of the data; `error`: it threw. */
export type StopReason = 'signal' | 'end' | 'error';

/** One action, several in order, or none. */
export type Decision = Action | readonly Action[] | undefined | void;

/** The candles that a candle strategy lives on; the session fetches its warm-up by them. */
export interface CandleNeeds {
  readonly symbols: readonly string[];
  /** A duration such as `'1m'`. */
  readonly interval: string;
  readonly intervalMs: number;
  /** Candles to see before the first decision. */
  readonly warmup: number;
}

/** Methods, not function properties: a definition of any parameters is a definition of unknown ones. */
export interface StrategyDefinition<Params = unknown> {
  readonly [STRATEGY_BRAND]: true;
  readonly name: string;
  readonly params: z.ZodObject;
  /** Where it was defined; undefined when no stack was to be had. */
  readonly location: SourceLocation | undefined;
  /** In a backtest its promises are waited for where they would be refused otherwise. */
  readonly allowAsync: boolean;
  /** Symbols that it trades, when it says so. */
  symbols(params: Params): readonly string[] | undefined;
  /** Null for stream strategies. */
  candleNeeds(params: Params): CandleNeeds | null;
  setup(context: RunContext<Params>): Observable<Action | readonly Action[]> | void;
  onStop(reason: StopReason): Decision;
}

/** The context as the runner makes it: what strategies see, and what the compiled candle path needs beside. */
export interface RunContext<Params> extends StrategyContext<Params> {
  /** The last `count` candles before the start, oldest first; fewer when there are not as many. */
  warmupCandles(symbol: string, count: number): Iterable<Candle>;
  /** The chart of one symbol. */
  chartOf(symbol: string): StrategyChart;
}

export function isStrategyDefinition(value: unknown): value is StrategyDefinition {
  return typeof value === 'object' && value !== null && STRATEGY_BRAND in value;
}
