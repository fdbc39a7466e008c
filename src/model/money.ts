/**
 * Exact money (wall 7): one Decimal clone, precision 60, used by the ledger and by everything that is stored or signed.
 * Hot paths hold integer ticks and lots instead (`instrument.ts`). A decimal leaves the process as a canonical string:
 * no exponent, no trailing zeros, no "-0" (wire profile, Conventions).
 */
import { Decimal as BaseDecimal } from 'decimal.js';

export const Decimal = BaseDecimal.clone({
  precision: 60,
  rounding: BaseDecimal.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  defaults: true,
});
export type Decimal = InstanceType<typeof Decimal>;

/** What an action or a caller may hand over as an amount. */
export type DecimalLike = number | string | Decimal;

export const ZERO: Decimal = new Decimal(0);
export const ONE: Decimal = new Decimal(1);

/** Texts read last: the amounts of one order and its fills are read in many places. A Decimal never changes. */
const read = new Map<string, Decimal>();
const READ_MAX = 512;

/** An exact decimal. Strings and Decimals are taken as they are; a number is its shortest decimal text. */
export function dec(value: DecimalLike): Decimal {
  if (value instanceof Decimal) return value;
  if (typeof value === 'number') return new Decimal(value);
  const known = read.get(value);
  if (known !== undefined) return known;
  const exact = new Decimal(value);
  if (read.size >= READ_MAX) read.clear();
  read.set(value, exact);
  return exact;
}

/** The smaller of two. `Decimal.min` copies both. */
export function smaller(one: Decimal, other: Decimal): Decimal {
  return other.lt(one) ? other : one;
}

/** The greater of two. `Decimal.max` copies both. */
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
  const exact = value instanceof Decimal ? value : new Decimal(value);
  return exact.isZero() ? '0' : exact.toFixed();
}

/** Digits that a double holds for certain, less a few for what was computed with it. */
const CERTAIN_DIGITS = 12;

/** A computed number for a reader: without the tail that binary fractions leave. */
export function amountText(value: number): string {
  return Number.isFinite(value) ? decimalText(new Decimal(value).toSignificantDigits(CERTAIN_DIGITS)) : String(value);
}

const CANONICAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** True for plain decimal text without exponent, sign tricks or blanks; trailing zeros are allowed. */
export function isDecimalText(text: string): boolean {
  return CANONICAL.test(text);
}
