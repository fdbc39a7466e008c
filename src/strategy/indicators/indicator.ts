/** A streaming indicator. `next` returns its value, or undefined until warm. */
import type { TechnicalIndicator } from 'trading-signals';

export interface Indicator<Value = number, Input = number> {
  next(input: Input): Value | undefined;
  /** Last value; undefined while not warm. */
  readonly value: Value | undefined;
}

export interface HighLow {
  readonly high: number;
  readonly low: number;
}

export interface HighLowClose extends HighLow {
  readonly close: number;
}

export interface OpenHighLowClose extends HighLowClose {
  readonly open: number;
}

export interface HighLowCloseVolume extends HighLowClose {
  readonly volume: number;
}

/** As of `market.top`. */
export interface BestQuotes {
  readonly bid: number;
  readonly bidQuantity: number;
  readonly ask: number;
  readonly askQuantity: number;
}

/** As of `market.trades`; `side` is the taker's. */
export interface SidedTrade {
  readonly price: number;
  readonly quantity: number;
  readonly side: 'buy' | 'sell';
}

/** Prices of two symbols at one time, or their logarithms. */
export interface PairValues {
  readonly x: number;
  readonly y: number;
}

/** A plain field; an own getter makes V8 objects slow. */
export function indicatorOf<Value, Input>(next: (input: Input) => Value | undefined): Indicator<Value, Input> {
  const indicator = {
    value: undefined as Value | undefined,
    next: (input: Input): Value | undefined => {
      const value = next(input);
      indicator.value = value;
      return value;
    },
  };
  return indicator;
}

/** Counts inputs, as `isStable` may cost an exception. */
export function streaming<Result extends {}, Value, Input>(
  indicator: TechnicalIndicator<Result, Input, object>,
  required: number,
  shape: (result: Result) => Value,
): Indicator<Value, Input> {
  let seen = 0;
  return indicatorOf((input: Input) => {
    seen++;
    const result = indicator.add(input);
    return seen < required || result === null ? undefined : shape(result);
  });
}
