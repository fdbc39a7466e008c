/**
 * Exact fixed-point arithmetic in units of 10^-scale.
 * Invariant: `Units` is a number up to 2^53 - 1 in magnitude, never -0, and a bigint beyond; so `===` compares.
 * Big-integer paths are separate functions, so that small ones are inlined.
 */

export type Units = number | bigint;

/** Toward 0, away from 0, toward -∞, toward +∞, ties to even, ties away from 0. */
export type Rounding = 'down' | 'up' | 'floor' | 'ceil' | 'half-even' | 'half-up';

/** The remainder has the dividend's sign. */
export interface Division {
  readonly quotient: Units;
  readonly remainder: Units;
}

const DIGITS_KEPT = 60;
const POWERS: readonly number[] = Array.from({ length: 16 }, (_, digits) => 10 ** digits);
const BIG_POWERS: readonly bigint[] = Array.from({ length: DIGITS_KEPT + 1 }, (_, digits) => 10n ** BigInt(digits));
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const SAFE_MIN = -SAFE_MAX;

export function unitsOf(value: bigint): Units {
  return value <= SAFE_MAX && value >= SAFE_MIN ? Number(value) : value;
}

/** Unsafe sums round to 2^53 or more. */
export function add(a: Units, b: Units): Units {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return addBig(a, b);
}

function addBig(a: Units, b: Units): Units {
  return unitsOf(BigInt(a) + BigInt(b));
}

export function sub(a: Units, b: Units): Units {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return subBig(a, b);
}

function subBig(a: Units, b: Units): Units {
  return unitsOf(BigInt(a) - BigInt(b));
}

export function neg(a: Units): Units {
  return typeof a === 'number' ? 0 - a : -a;
}

export function abs(a: Units): Units {
  if (typeof a === 'number') return Math.abs(a);
  return a < 0n ? -a : a;
}

export function compare(a: Units, b: Units): -1 | 0 | 1 {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return compareBig(a, b);
}

function compareBig(a: Units, b: Units): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function mul(a: Units, b: Units): Units {
  if (typeof a === 'number' && typeof b === 'number') {
    // As in `add`.
    const product = a * b;
    // -0 to 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return mulBig(a, b);
}

function mulBig(a: Units, b: Units): Units {
  return unitsOf(BigInt(a) * BigInt(b));
}

export function scaleUp(a: Units, digits: number): Units {
  if (typeof a === 'number') {
    const product = a * (POWERS[digits] ?? Number.NaN);
    if (Number.isSafeInteger(product)) return product;
  }
  return unitsOf(BigInt(a) * bigPower(digits));
}

export function scaleDown(a: Units, digits: number, rounding: Rounding): Units {
  if (typeof a === 'number') {
    const power = POWERS[digits];
    if (power !== undefined) return divideNumbers(a, power, rounding);
  }
  return divideBig(BigInt(a), bigPower(digits), rounding);
}

function bigPower(digits: number): bigint {
  return BIG_POWERS[digits] ?? 10n ** BigInt(digits);
}

export function divide(a: Units, b: Units, rounding: Rounding): Units {
  if (b === 0) throw divisionByZero();
  if (typeof a === 'number' && typeof b === 'number') return divideNumbers(a, b, rounding);
  return divideBig(BigInt(a), BigInt(b), rounding);
}

/** Truncated. */
export function divRem(a: Units, b: Units): Division {
  if (b === 0) throw divisionByZero();
  if (typeof a === 'number' && typeof b === 'number') {
    const quotient = cutQuotient(a, b);
    return { quotient, remainder: a - quotient * b };
  }
  const dividend = BigInt(a);
  const divisor = BigInt(b);
  return { quotient: unitsOf(dividend / divisor), remainder: unitsOf(dividend % divisor) };
}

/** Undefined where there is a remainder, or a big integer. */
export function wholeQuotient(a: Units, b: Units): number | undefined {
  if (typeof a !== 'number' || typeof b !== 'number' || a % b !== 0) return undefined;
  return cutQuotient(a, b);
}

function divisionByZero(): RangeError {
  return new RangeError('division by zero');
}

/** Exact: `a / b` rounds up to a whole number only where `a` exceeds 2^53 - 1. */
function cutQuotient(a: number, b: number): number {
  return Math.trunc(a / b) + 0;
}

function divideNumbers(a: number, b: number, rounding: Rounding): number {
  const quotient = cutQuotient(a, b);
  const remainder = a - quotient * b;
  if (remainder === 0) return quotient;
  const isNegative = a < 0 !== b < 0;
  const half = Math.abs(remainder) * 2 - Math.abs(b);
  if (!movesAway(rounding, isNegative, half, quotient % 2 !== 0)) return quotient;
  return isNegative ? quotient - 1 : quotient + 1;
}

function divideBig(a: bigint, b: bigint, rounding: Rounding): Units {
  const quotient = a / b;
  const remainder = a % b;
  if (remainder === 0n) return unitsOf(quotient);
  const isNegative = a < 0n !== b < 0n;
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  const half = compareBig(twice, b < 0n ? -b : b);
  if (!movesAway(rounding, isNegative, half, quotient % 2n !== 0n)) return unitsOf(quotient);
  return unitsOf(isNegative ? quotient - 1n : quotient + 1n);
}

/** Whether a truncated quotient moves away from zero. `half`: sign of the cut-off part minus one half. */
function movesAway(rounding: Rounding, isNegative: boolean, half: number, isOdd: boolean): boolean {
  switch (rounding) {
    case 'down':
      return false;
    case 'up':
      return true;
    case 'floor':
      return isNegative;
    case 'ceil':
      return !isNegative;
    case 'half-even':
      return half > 0 || (half === 0 && isOdd);
    case 'half-up':
      return half >= 0;
  }
}
