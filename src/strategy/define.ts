/** `defineStrategy` and `defineCandleStrategy`: what a strategy file exports. */
import type { Observable } from 'rxjs';
import { z } from 'zod';
import type { Action } from '../model/trading/action.ts';
import type { Candle } from '../model/market/views.ts';
import { candleFrames, candleIntervals } from './running/candle-frames.ts';
import { definitionFailure } from './running/failure.ts';
import { runCandles, type CandleHandlers } from './running/candle-path.ts';
import type { CandleContext, CandleSetupContext, StrategyContext } from './context/context.ts';
import {
  STRATEGY_BRAND,
  type CandleNeeds,
  type Decision,
  type HistoryNeed,
  type StopReason,
  type StrategyDefinition,
} from './definition.ts';
import { describe } from './action-shape.ts';
import { strategyErrors } from './errors.ts';
import { historyNeeds, type WarmupSpec } from './context/history.ts';
import { callerOf, captureStack, locationText, type SourceLocation } from './loading/location.ts';

export interface StrategySpec<Schema extends z.ZodObject> {
  readonly name: string;
  readonly params?: Schema;
  /**
   * A backtest waits for all promises of the strategy, also unawaited ones and those another thread answers, instead of
   * refusing them. No effect on paper and live. Default false.
   */
  readonly allowAsync?: boolean;
  /** An alarm rings while a position has no exit that works or is armed (`risk.unprotectedMs`). Default false. */
  readonly protect?: boolean;
  /** Traded symbols, loaded before the start. */
  symbols?(params: z.output<Schema>): readonly string[];
  /** Closed candles to have before the first decision: `market.history` answers them in `setup`. */
  warmup?(params: z.output<Schema>): readonly WarmupSpec[];
  /** Called once at start. Emitted actions are executed; the Observable may complete. */
  setup(context: StrategyContext<z.output<Schema>>): Observable<Action | readonly Action[]> | void;
  /** Last actions before the stop policy applies. */
  onStop?(reason: StopReason): Decision;
}

export interface CandleStrategySpec<Schema extends z.ZodObject, Vars> {
  readonly name: string;
  readonly params?: Schema;
  /**
   * A backtest waits for all promises of the strategy, also unawaited ones and those another thread answers, instead of
   * refusing them. No effect on paper and live. Default false.
   */
  readonly allowAsync?: boolean;
  /** An alarm rings while a position has no exit that works or is armed (`risk.unprotectedMs`). Default false. */
  readonly protect?: boolean;
  /** Default: `[params.symbol]`. */
  symbols?(params: z.output<Schema>): readonly string[];
  /** A duration, `'1m'` or `'1h'`, or one that the parameters give. Give either `interval` or `intervals`. */
  readonly interval?: string | ((params: z.output<Schema>) => string);
  /** Several: `['1m', '15m', '4h']`. `onCandle` is called with the closed candles of each. */
  readonly intervals?: readonly string[] | ((params: z.output<Schema>) => readonly string[]);
  /**
   * Closed candles before the first decision; earlier decisions are dropped. A number counts for each interval; by
   * interval: `{'1m': 50, '4h': 10}`. Default 0.
   */
  readonly warmup?: CandleWarmup | ((params: z.output<Schema>) => CandleWarmup);
  /** Makes the variables of one symbol: indicators, state. */
  setup?(context: CandleSetupContext<z.output<Schema>>): Vars;
  /** Called with each closed candle. */
  onCandle(candle: Candle, context: CandleContext<z.output<Schema>, Vars>): Decision;
  onStop?(reason: StopReason): Decision;
}

export type CandleWarmup = number | Readonly<Record<string, number>>;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

function fault(name: unknown, location: SourceLocation | undefined, problem: string): Error {
  return strategyErrors.make(
    'strategy_definition',
    `strategy ${describe(name)}: ${problem} (${locationText(location)})`,
    { ...location },
  );
}

/** Calls a function of a definition. */
type Ask = <Answer>(what: string, run: () => Answer) => Answer;

function asker(strategy: string, location: SourceLocation | undefined): Ask {
  return (what, run) => {
    try {
      return run();
    } catch (thrown) {
      throw definitionFailure(thrown, strategy, what, location);
    }
  };
}

/** Functions that may be absent, with an example. */
const FUNCTIONS = {
  symbols: "() => ['BTCUSDT']",
  setup: '() => ({ fast: ema(12) })',
  warmup: "() => [{ symbol: 'BTCUSDT', interval: '1m', candles: 50 }]",
  onStop: '() => []',
};

function checkSpec(spec: unknown, entry: 'setup' | 'onCandle', location: SourceLocation | undefined): void {
  if (typeof spec !== 'object' || spec === null)
    throw fault('?', location, `expected an object, got ${describe(spec)}`);
  const { name, params, [entry]: run } = spec as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw fault(name, location, 'name must be letters, digits, - and _, since order refs are made from it');
  }
  if (params !== undefined && !(params instanceof z.ZodObject)) {
    throw fault(name, location, `params must be z.object({ … }), got ${describe(params)}`);
  }
  if (typeof run !== 'function') throw fault(name, location, `${entry} must be a function, got ${describe(run)}`);
  for (const [key, example] of Object.entries(FUNCTIONS)) {
    const value = (spec as Readonly<Record<string, unknown>>)[key];
    // Candles to warm up may be a number.
    if (value === undefined || typeof value === 'function' || (key === 'warmup' && entry === 'onCandle')) continue;
    throw fault(name, location, `${key} must be a function, such as ${example}, got ${describe(value)}`);
  }
}

/** A strategy of streams: `setup` returns an Observable of actions. */
export function defineStrategy<Schema extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  spec: StrategySpec<Schema>,
): StrategyDefinition<z.output<Schema>> {
  const location = callerOf(captureStack());
  checkSpec(spec, 'setup', location);
  const ask = asker(spec.name, location);
  return Object.freeze({
    [STRATEGY_BRAND]: true as const,
    name: spec.name,
    params: spec.params ?? z.object({}),
    allowAsync: spec.allowAsync ?? false,
    protect: spec.protect ?? false,
    location,
    symbols: (params: z.output<Schema>) => ask('symbols', () => spec.symbols?.(params)),
    candleNeeds: () => null,
    history: (params: z.output<Schema>) => {
      const needs = historyNeeds(ask('warmup', () => spec.warmup?.(params) ?? []));
      if (typeof needs === 'string') throw fault(spec.name, location, needs);
      return needs;
    },
    setup: (context: StrategyContext<z.output<Schema>>) => spec.setup(context),
    onStop: (reason: StopReason) => spec.onStop?.(reason),
  });
}

/** As it stands in the definition, or as the parameters give it. */
function given<Params>(value: unknown, params: Params | undefined): unknown {
  return typeof value === 'function' ? (value as (params: Params | undefined) => unknown)(params) : value;
}

/** A strategy of candles: `onCandle` returns actions. */
export function defineCandleStrategy<Schema extends z.ZodObject = z.ZodObject<Record<never, never>>, Vars = undefined>(
  spec: CandleStrategySpec<Schema, Vars>,
): StrategyDefinition<z.output<Schema>> {
  const location = callerOf(captureStack());
  checkSpec(spec, 'onCandle', location);
  const ask = asker(spec.name, location);
  const intervalsOf = (params: z.output<Schema> | undefined): ReturnType<typeof candleIntervals> =>
    candleIntervals({
      interval: ask('interval', () => given(spec.interval, params)),
      intervals: ask('intervals', () => given(spec.intervals, params)),
    });
  const isFixed = typeof spec.interval !== 'function' && typeof spec.intervals !== 'function';
  const fixed = isFixed ? intervalsOf(undefined) : undefined;
  if (typeof fixed === 'string') throw fault(spec.name, location, fixed);
  const symbolsOf = (params: z.output<Schema>): readonly string[] => {
    const symbols = ask('symbols', () =>
      spec.symbols === undefined ? [(params as { readonly symbol?: unknown }).symbol] : spec.symbols(params),
    );
    if (!Array.isArray(symbols))
      throw fault(spec.name, location, `symbols must answer an array of symbols, got ${describe(symbols)}`);
    const texts = symbols.filter((symbol): symbol is string => typeof symbol === 'string');
    if (texts.length > 0 && texts.length === symbols.length) return [...new Set(texts)];
    throw fault(spec.name, location, 'it has no symbol: give it params.symbol or symbols(params)');
  };
  const needsOf = (params: z.output<Schema>): CandleNeeds => {
    const warmup = ask('warmup', () => given(spec.warmup, params) ?? 0);
    const intervals = fixed ?? intervalsOf(params);
    const frames = typeof intervals === 'string' ? intervals : candleFrames(intervals, warmup);
    if (typeof frames === 'string') throw fault(spec.name, location, frames);
    return { symbols: symbolsOf(params), frames };
  };
  const historyOf = (params: z.output<Schema>): readonly HistoryNeed[] => {
    const { symbols, frames } = needsOf(params);
    return symbols.flatMap((symbol) =>
      frames.flatMap(({ warmup: count, ...frame }) => (count === 0 ? [] : [{ symbol, ...frame, count }])),
    );
  };
  const handlers: CandleHandlers<z.output<Schema>, Vars | undefined> = {
    setup: (context) => spec.setup?.(context),
    // Vars is undefined without a setup, else its result.
    onCandle: (candle, context) => spec.onCandle(candle, context as CandleContext<z.output<Schema>, Vars>),
  };
  return Object.freeze({
    [STRATEGY_BRAND]: true as const,
    name: spec.name,
    params: spec.params ?? z.object({}),
    allowAsync: spec.allowAsync ?? false,
    protect: spec.protect ?? false,
    location,
    symbols: symbolsOf,
    candleNeeds: needsOf,
    history: historyOf,
    setup: (context: Parameters<StrategyDefinition<z.output<Schema>>['setup']>[0]) =>
      runCandles(needsOf(context.params), handlers, context),
    onStop: (reason: StopReason) => spec.onStop?.(reason),
  });
}
