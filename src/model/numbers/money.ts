/** Exact money: `Decimal` inside, canonical text outside. */
import { exact, type Decimal, type DecimalLike } from './decimal.ts';

export { Decimal, exact as dec } from './decimal.ts';
export type { DecimalLike } from './decimal.ts';

export const ZERO: Decimal = exact(0);
export const ONE: Decimal = exact(1);

export function decimalOrNull(value: DecimalLike): Decimal | null {
  try {
    return exact(value);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

export function smaller(one: Decimal, other: Decimal): Decimal {
  return other.lt(one) ? other : one;
}

export function greater(one: Decimal, other: Decimal): Decimal {
  return other.gt(one) ? other : one;
}

export function sum(one: Decimal, other: Decimal): Decimal {
  if (other.isZero()) return one;
  return one.isZero() ? other : one.plus(other);
}

/** `"60000.5"`, `"0"`, `"-1.25"`. */
export function decimalText(value: DecimalLike): string {
  return exact(value).toFixed();
}

/** Fewer than a double's 15. */
const CERTAIN_DIGITS = 12;

/** Without a binary tail. */
export function amountText(value: number): string {
  return Number.isFinite(value) ? decimalText(Number(value.toPrecision(CERTAIN_DIGITS))) : String(value);
}

const CANONICAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** No exponent, plus sign or blanks; trailing zeros allowed. */
export function isDecimalText(text: string): boolean {
  return CANONICAL.test(text);
}
