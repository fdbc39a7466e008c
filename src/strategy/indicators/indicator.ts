/**
 * The interface of a streaming indicator and its making from one of trading-signals. `next` gives the value, or
 * undefined until the indicator is warm, that is until it has seen as many values as its definition needs.
 */
import type { TechnicalIndicator } from 'trading-signals';

export interface Indicator<Value = number, Input = number> {
  next(input: Input): Value | undefined;
  /** The last value, or undefined while not warm. */
  readonly value: Value | undefined;
}

/** What a candle indicator reads of a candle. */
export interface HighLowClose {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export interface HighLowCloseVolume extends HighLowClose {
  readonly volume: number;
}

/** `next` answers the value. A plain field holds it: V8 keeps an object with a getter of its own as a slow dictionary. */
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

/** Counts the inputs itself: asking `isStable` costs an exception per value until warm in some indicators. */
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
