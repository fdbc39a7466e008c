/**
 * Exact money (wall 8): what is stored or signed is a `Decimal` (`decimal.ts`). Hot paths hold integer ticks and lots instead
 * (`instrument.ts`). A decimal leaves the process as a canonical string: no exponent, no trailing zeros, no "-0" (wire
 * profile, Conventions).
 */
import { exact, type Decimal, type DecimalLike } from './decimal.ts';

export { Decimal, exact as dec } from './decimal.ts';
export type { DecimalLike } from './decimal.ts';

export const ZERO: Decimal = exact(0);
export const ONE: Decimal = exact(1);

/** Null for what is no finite number. */
export function decimalOrNull(value: DecimalLike): Decimal | null {
  try {
    return exact(value);
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
}

/** The smaller of two. */
export function smaller(one: Decimal, other: Decimal): Decimal {
  return other.lt(one) ? other : one;
}

/** The greater of two. */
export function greater(one: Decimal, other: Decimal): Decimal {
  return other.gt(one) ? other : one;
}

/** Their sum: as it is where the other is zero, which needs no copy. */
export function sum(one: Decimal, other: Decimal): Decimal {
  if (other.isZero()) return one;
  return one.isZero() ? other : one.plus(other);
}

/** The canonical text of a decimal: `"60000.5"`, `"0"`, `"-1.25"`. */
export function decimalText(value: DecimalLike): string {
  return exact(value).toFixed();
}

/** Digits that a double holds for certain, less a few for what was computed with it. */
const CERTAIN_DIGITS = 12;

/** A computed number for a reader: without the tail that binary fractions leave. */
export function amountText(value: number): string {
  return Number.isFinite(value) ? decimalText(Number(value.toPrecision(CERTAIN_DIGITS))) : String(value);
}

const CANONICAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** True for plain decimal text without exponent, sign tricks or blanks; trailing zeros are allowed. */
export function isDecimalText(text: string): boolean {
  return CANONICAL.test(text);
}
