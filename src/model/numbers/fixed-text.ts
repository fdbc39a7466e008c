/** `Units` (`fixed.ts`) from and to canonical decimal text. */
import { unitsOf, type Units } from './fixed.ts';

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/** Fewer digits are safe. */
const SAFE_DIGITS = 16;
/** Faster than `padStart`. */
const ZEROS = '0'.repeat(SAFE_DIGITS);

const POWERS: readonly number[] = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

const BIG_POWERS: readonly bigint[] = POWERS.map((_, exponent) => 10n ** BigInt(exponent));

/** `"60000.50"` at scale 2 is `6000050`. Undefined when the text is not a plain decimal or is finer than the scale. */
export function parseUnits(text: string, scale: number): Units | undefined {
  const value = readUnits(text, scale);
  if (value <= Number.MAX_SAFE_INTEGER) return text.charCodeAt(0) === MINUS ? 0 - value : value;
  return Number.isNaN(value) ? undefined : bigUnits(text, scale);
}

/** `NaN` for what `parseUnits` refuses; an unsafe number beyond the safe range. */
function readUnits(text: string, scale: number): number {
  const length = text.length;
  const first = text.charCodeAt(0) === MINUS ? 1 : 0;
  let value = 0;
  let point = -1;
  let fraction = 0;
  for (let index = first; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code === POINT) {
      if (point >= 0 || index === first) return Number.NaN;
      point = index;
      continue;
    }
    const digit = code - ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    if (point >= 0) {
      if (fraction === scale) {
        if (digit !== 0) return Number.NaN;
        continue;
      }
      fraction++;
    } else if (value === 0 && index > first) {
      return Number.NaN;
    }
    // Rounding never brings a value above 2^53 back below it.
    value = value * 10 + digit;
  }
  if (length === first || point === length - 1) return Number.NaN;
  if (fraction === scale || value === 0) return value;
  return value * (POWERS[scale - fraction] ?? Number.POSITIVE_INFINITY);
}

function bigUnits(text: string, scale: number): Units {
  const point = text.indexOf('.');
  if (point < 0) return unitsOf(BigInt(text + '0'.repeat(scale)));
  const fraction = text.slice(point + 1, point + 1 + scale).padEnd(scale, '0');
  return unitsOf(BigInt(text.slice(0, point) + fraction));
}

/** `6000050` at scale 2 is `"60000.5"`. Throws `RangeError` for a number that is not a safe integer. */
export function unitsText(units: Units, scale: number): string {
  if (typeof units === 'number' && !Number.isSafeInteger(units)) throw new RangeError(`not a safe integer: ${units}`);
  if (scale === 0 || units === 0) return String(units);
  const power = POWERS[scale];
  if (typeof units === 'number' && power !== undefined && scale < SAFE_DIGITS) return numberText(units, scale, power);
  const isNegative = units < 0;
  const digits = String(isNegative ? -units : units).padStart(scale + 1, '0');
  const point = digits.length - scale;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  const whole = isNegative ? `-${digits.slice(0, point)}` : digits.slice(0, point);
  return end === point ? whole : `${whole}.${digits.slice(point, end)}`;
}

function numberText(units: number, scale: number, power: number): string {
  const size = Math.abs(units);
  const whole = Math.floor(size / power);
  const part = size - whole * power;
  const head = units < 0 ? `-${whole}` : String(whole);
  if (part === 0) return head;
  let fraction = part;
  let places = scale;
  for (let shorter = Math.trunc(fraction / 10); shorter * 10 === fraction; shorter = Math.trunc(fraction / 10)) {
    fraction = shorter;
    places--;
  }
  const digits = String(fraction);
  const zeros = places - digits.length;
  return zeros === 0 ? `${head}.${digits}` : `${head}.${ZEROS.slice(0, zeros)}${digits}`;
}

/** The nearest double. */
export function unitsToNumber(units: Units, scale: number): number {
  const power = POWERS[scale];
  if (typeof units === 'number') return power === undefined ? Number(`${units}e-${scale}`) : units / power;
  return (power === undefined ? null : bigToNumber(units, scale, power)) ?? Number(`${units}e-${scale}`);
}

/** Two roundings: at most one double beside the nearest. */
export function unitsToEstimate(units: Units, scale: number): number {
  const power = POWERS[scale];
  return power === undefined ? unitsToNumber(units, scale) : Number(units) / power;
}

/** More than the fraction's own rounding. */
const FRACTION_ERROR = 4e-16;

/** Faster than by text; null where rounding is not certain. */
function bigToNumber(units: bigint, scale: number, power: number): number | null {
  const bigPower = BIG_POWERS[scale]!;
  const whole = units / bigPower;
  const fraction = Number(units - whole * bigPower) / power;
  const least = Number(whole) + (fraction - FRACTION_ERROR);
  return Number.isSafeInteger(Number(whole)) && least === Number(whole) + (fraction + FRACTION_ERROR) ? least : null;
}
