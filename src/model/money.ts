/**
 * Exact money (wall 7): decimals of 60 digits (`decimal.ts`), used by the ledger and by everything that is stored or signed.
 * Hot paths hold integer ticks and lots instead (`instrument.ts`). A decimal leaves the process as a canonical string:
 * no exponent, no trailing zeros, no "-0" (wire profile, Conventions).
 */
import { Decimal, type DecimalLike } from './decimal.ts';

export { Decimal, ZERO, type DecimalLike } from './decimal.ts';

export const ONE: Decimal = Decimal.of(1);

/** An exact decimal. Strings and Decimals are taken as they are; a number is its shortest decimal text. */
export function dec(value: DecimalLike): Decimal {
  return Decimal.of(value);
}

/** The canonical text of a decimal: `"60000.5"`, `"0"`, `"-1.25"`. */
export function decimalText(value: DecimalLike): string {
  return Decimal.of(value).toFixed();
}

const CANONICAL = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** True for plain decimal text without exponent, sign tricks or blanks; trailing zeros are allowed. */
export function isDecimalText(text: string): boolean {
  return CANONICAL.test(text);
}
