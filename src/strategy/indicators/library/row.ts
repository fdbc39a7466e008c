/** One indicator of trading-signals in our form: parameters checked, undefined until warm and where it has no value. */
import type { TechnicalIndicator } from 'trading-signals';
import { strategyErrors } from '../../errors.ts';
import { indicatorOf, type Indicator } from '../indicator.ts';
import { factor, period } from '../period.ts';

export function row<Result extends {}, Input>(
  name: string,
  periods: readonly number[],
  factors: readonly number[],
  make: () => TechnicalIndicator<Result, Input, object>,
): Indicator<Result, Input> {
  for (const value of periods) period(name, value);
  for (const value of factors) factor(name, value);
  const source = made(name, make);
  const required = source.getRequiredInputs();
  let seen = 0;
  return indicatorOf((input: Input) => {
    seen++;
    const result = source.add(input);
    return seen < required || result === null || !isFinite(result) ? undefined : result;
  });
}

export function mapped<From, To, Input>(
  source: Indicator<From, Input>,
  shape: (value: From) => To,
): Indicator<To, Input> {
  return indicatorOf((input: Input) => {
    const value = source.next(input);
    return value === undefined ? undefined : shape(value);
  });
}

/** Some constructors refuse more: an odd period, a factor above 1. */
function made<Made>(name: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw strategyErrors.make('strategy_definition', `indicators.${name}: ${reason}`, { indicator: name });
  }
}

function isFinite(result: unknown): boolean {
  if (typeof result === 'number') return Number.isFinite(result);
  for (const value of Object.values(result as object)) {
    if (typeof value === 'number' && !Number.isFinite(value)) return false;
  }
  return true;
}
