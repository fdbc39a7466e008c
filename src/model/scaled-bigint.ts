/**
 * Arithmetic of decimals as big integers with a scale: value = `units` × 10^-`scale`. What is beyond doubles; used by `decimal.ts`
 * alone. Nothing is rounded but where a function says so. Pure.
 */

export interface ScaledBigint {
  readonly units: bigint;
  readonly scale: number;
}

/** Away from zero, towards zero, towards +∞, towards -∞, to the nearest with halves away from zero or to the even digit. */
export type Rounding = 'up' | 'down' | 'ceil' | 'floor' | 'half-up' | 'half-even';

const KEPT = 128;
const TENS: readonly bigint[] = Array.from({ length: KEPT }, (_, exponent) => 10n ** BigInt(exponent));

export function tenTo(exponent: number): bigint {
  return TENS[exponent] ?? 10n ** BigInt(exponent);
}

function digitsOf(units: bigint): number {
  return String(units < 0n ? -units : units).length;
}

/** Rounds off the last `dropped` digits. */
export function roundedOff(units: bigint, dropped: number, rounding: Rounding): bigint {
  const step = tenTo(dropped);
  const whole = units / step;
  const rest = units % step;
  if (rest === 0n) return whole;
  const away = units < 0n ? whole - 1n : whole + 1n;
  const size = rest < 0n ? -rest : rest;
  switch (rounding) {
    case 'up':
      return away;
    case 'down':
      return whole;
    case 'ceil':
      return units < 0n ? whole : away;
    case 'floor':
      return units < 0n ? away : whole;
    case 'half-up':
      return 2n * size >= step ? away : whole;
    case 'half-even':
      return 2n * size > step || (2n * size === step && whole % 2n !== 0n) ? away : whole;
  }
}

/** At most so many significant digits, half to even. */
export function limited({ units, scale }: ScaledBigint, digitsMax: number): ScaledBigint {
  const size = units < 0n ? -units : units;
  let dropped = 0;
  while (size >= tenTo(digitsMax + dropped)) dropped++;
  if (dropped === 0) return { units, scale };
  const left = scale - dropped;
  const rounded = roundedOff(units, dropped, 'half-even');
  return left >= 0 ? { units: rounded, scale: left } : { units: rounded * tenTo(-left), scale: 0 };
}

/** The same value without trailing zeros after the point. */
export function trimmed({ units, scale }: ScaledBigint): ScaledBigint {
  const text = String(units);
  let zeros = 0;
  while (zeros < scale && text.charCodeAt(text.length - 1 - zeros) === 48) zeros++;
  return zeros === 0 ? { units, scale } : { units: units / tenTo(zeros), scale: scale - zeros };
}

/** `left` / `right`, rounded to so many significant digits, half to even; exact where it has no more. `right` is not zero. */
export function quotient(left: ScaledBigint, right: ScaledBigint, digitsMax: number): ScaledBigint {
  const wanted = digitsMax + 1 + digitsOf(right.units) - digitsOf(left.units);
  // More digits than are wanted, and none that would have to be before the point.
  const shift = Math.max(0, wanted, right.scale - left.scale);
  const dividend = left.units * tenTo(shift);
  const whole = dividend / right.units;
  const scale = left.scale - right.scale + shift;
  if (dividend % right.units === 0n) return limited(trimmed({ units: whole, scale }), digitsMax);
  // One digit more says that something follows, so that no half is taken for exact.
  const isBelow = dividend < 0n !== right.units < 0n;
  return limited({ units: whole * 10n + (isBelow ? -1n : 1n), scale: scale + 1 }, digitsMax);
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
/** Beyond the range of doubles there is no amount. */
const EXPONENT_MAX = 1000;

/** Any decimal text, with an exponent or without; null for text that is none. */
export function parseBigint(text: string): ScaledBigint | null {
  const [, sign, whole = '', fraction = '', exponentText = '0'] = NUMBER.exec(text) ?? [];
  const exponent = Number(exponentText);
  if (sign === undefined || whole + fraction === '' || Math.abs(exponent) > EXPONENT_MAX) return null;
  const digits = BigInt(whole + fraction);
  const units = sign === '-' ? -digits : digits;
  const scale = fraction.length - exponent;
  return trimmed(scale >= 0 ? { units, scale } : { units: units * tenTo(-scale), scale: 0 });
}
