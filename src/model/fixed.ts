/**
 * Exact fixed-point arithmetic: an amount is a whole number of units of 10^-scale. The scale is known from the context
 * (an instrument's prices or lots, a currency) and is not part of the value.
 * Invariant: `Units` is a number up to 2^53 - 1 in magnitude, never -0, and a bigint beyond. So `===` compares.
 * Every function expects such values and returns such values. Where a result of numbers is no safe integer, the same
 * operation runs on big integers, in a function of its own: the small one is inlined.
 * Called by `decimal.ts`, which carries the scale with the value, and by `instrument.ts`; text is `fixed-text.ts`.
 */

export type Units = number | bigint;

/** Toward zero, away from zero, toward -∞, toward +∞, to the nearest with ties to the even neighbour or away from zero. */
export type Rounding = 'down' | 'up' | 'floor' | 'ceil' | 'half-even' | 'half-up';

/** `dividend = quotient × divisor + remainder`; the remainder has the sign of the dividend. */
export interface Division {
  readonly quotient: Units;
  readonly remainder: Units;
}

const DIGITS_KEPT = 60;
/** Those that are safe integers. */
const POWERS: readonly number[] = Array.from({ length: 16 }, (_, digits) => 10 ** digits);
const BIG_POWERS: readonly bigint[] = Array.from({ length: DIGITS_KEPT + 1 }, (_, digits) => 10n ** BigInt(digits));
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const SAFE_MIN = -SAFE_MAX;

/** A big integer of any size, normalised. */
export function unitsOf(value: bigint): Units {
  return value <= SAFE_MAX && value >= SAFE_MIN ? Number(value) : value;
}

/** The sum of two safe integers is exact up to 2^53; one beyond rounds to 2^53 or more, which is not safe. */
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

export function sign(a: Units): -1 | 0 | 1 {
  if (a === 0) return 0;
  return a < 0 ? -1 : 1;
}

export function isZero(a: Units): boolean {
  return a === 0;
}

/** Below, at or above zero as `a` is less than, equal to or greater than `b`. */
export function compare(a: Units, b: Units): -1 | 0 | 1 {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  return compareBig(a, b);
}

function compareBig(a: Units, b: Units): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function min(a: Units, b: Units): Units {
  return compare(b, a) < 0 ? b : a;
}

export function max(a: Units, b: Units): Units {
  return compare(b, a) > 0 ? b : a;
}

/** The scale of the product is the sum of both scales. */
export function mul(a: Units, b: Units): Units {
  if (typeof a === 'number' && typeof b === 'number') {
    // Rounding is monotonic: a product above 2^53 - 1 becomes 2^53 or more, and one up to it is a double, hence exact.
    const product = a * b;
    // Adding zero turns -0 into 0.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return mulBig(a, b);
}

function mulBig(a: Units, b: Units): Units {
  return unitsOf(BigInt(a) * BigInt(b));
}

/** `a × 10^digits`: the same amount at a finer scale. */
export function scaleUp(a: Units, digits: number): Units {
  if (typeof a === 'number') {
    const product = a * (POWERS[digits] ?? Number.NaN);
    if (Number.isSafeInteger(product)) return product;
  }
  return unitsOf(BigInt(a) * bigPower(digits));
}

/** `a / 10^digits`: the amount at a coarser scale. */
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

/** `a / b`, rounded. */
export function divide(a: Units, b: Units, rounding: Rounding): Units {
  if (b === 0) throw divisionByZero();
  if (typeof a === 'number' && typeof b === 'number') return divideNumbers(a, b, rounding);
  return divideBig(BigInt(a), BigInt(b), rounding);
}

/** `a × b / c`, rounded once. */
export function mulDiv(a: Units, b: Units, c: Units, rounding: Rounding): Units {
  if (c === 0) throw divisionByZero();
  if (typeof a === 'number' && typeof b === 'number' && typeof c === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return divideNumbers(product, c, rounding);
  }
  return divideBig(BigInt(a) * BigInt(b), BigInt(c), rounding);
}

/** The quotient cut toward zero and what is left over, as `/` and `%` of big integers. */
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

function divisionByZero(): RangeError {
  return new RangeError('division by zero');
}

/**
 * Of safe integers. A quotient below a whole n is below it by (n × b - a) / b. The double of it is n only where that is at
 * most half a step of doubles; then n × b - 1 is above 2^53 - 1 and so is `a`, which would not be safe.
 */
function cutQuotient(a: number, b: number): number {
  return Math.trunc(a / b) + 0;
}

function divideNumbers(a: number, b: number, rounding: Rounding): number {
  const quotient = cutQuotient(a, b);
  const remainder = a - quotient * b;
  if (remainder === 0) return quotient;
  const isNegative = a < 0 !== b < 0;
  // Twice a safe integer is a double.
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

/**
 * Whether a quotient that was cut toward zero moves by one away from zero. Something was cut off; `half` is below, at
 * or above zero as that is less than, equal to or greater than one half.
 */
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
