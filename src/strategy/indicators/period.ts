/** Checks of what an indicator is made with; a bad one throws `strategy_definition`. */
import { strategyErrors } from '../errors.ts';

/** A whole number of inputs. */
export function period(name: string, value: number, least = 1): number {
  if (Number.isInteger(value) && value >= least) return value;
  const message = `indicators.${name}: the period must be a whole number of at least ${least}, got ${value}`;
  throw strategyErrors.make('strategy_definition', message, { indicator: name, period: value });
}

/** A width, volume or variance. */
export function factor(name: string, value: number, above = 0, below = Infinity): number {
  if (value > above && value < below) return value;
  const bounds = below === Infinity ? `above ${above}` : `between ${above} and ${below}`;
  const message = `indicators.${name}: the factor must be a number ${bounds}, got ${value}`;
  throw strategyErrors.make('strategy_definition', message, { indicator: name, factor: value });
}
