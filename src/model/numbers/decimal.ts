/**
 * An immutable exact decimal: units of 10^-scale (`fixed.ts`), made by `dec` (`money.ts`). Only quotients are rounded.
 */
import {
  abs,
  add,
  compare,
  divide,
  divRem,
  mul,
  neg,
  scaleDown,
  scaleUp,
  sub,
  wholeQuotient,
  type Rounding,
  type Units,
} from './fixed.ts';
import { parseUnits, unitsText, unitsToEstimate, unitsToNumber } from './fixed-text.ts';

export interface ForeignDecimal {
  toFixed(): string;
  toString(): string;
}

export type DecimalLike = number | string | Decimal | ForeignDecimal;

/** Minimum significant digits and decimal places. */
const QUOTIENT_DIGITS = 40;

export class Decimal {
  readonly units: Units;
  readonly scale: number;

  constructor(units: Units, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  plus(other: DecimalLike): Decimal {
    const that = exact(other);
    const { scale } = this;
    if (scale === that.scale) return new Decimal(add(this.units, that.units), scale);
    return scale > that.scale
      ? new Decimal(add(this.units, scaleUp(that.units, scale - that.scale)), scale)
      : new Decimal(add(scaleUp(this.units, that.scale - scale), that.units), that.scale);
  }

  minus(other: DecimalLike): Decimal {
    const that = exact(other);
    const { scale } = this;
    if (scale === that.scale) return new Decimal(sub(this.units, that.units), scale);
    return scale > that.scale
      ? new Decimal(sub(this.units, scaleUp(that.units, scale - that.scale)), scale)
      : new Decimal(sub(scaleUp(this.units, that.scale - scale), that.units), that.scale);
  }

  times(other: DecimalLike): Decimal {
    const that = exact(other);
    return new Decimal(mul(this.units, that.units), this.scale + that.scale);
  }

  /** Half even, 40 significant digits or more. Throws `RangeError` on zero. */
  div(other: DecimalLike): Decimal {
    const that = exact(other);
    const { quotient, remainder } = divRem(this.units, that.units);
    const scale = this.scale - that.scale;
    if (remainder === 0) return scale >= 0 ? new Decimal(quotient, scale) : new Decimal(scaleUp(quotient, -scale), 0);
    const zeros = Math.ceil(-Math.log10(Math.abs(this.toNumber() / that.toNumber())));
    return this.over(
      that,
      zeros > 0 && zeros < Infinity ? QUOTIENT_DIGITS + zeros : QUOTIENT_DIGITS,
      'half-even',
    ).stripped();
  }

  /** Rounded once to `places`. Throws `RangeError` on zero. */
  over(that: Decimal, places: number, rounding: Rounding): Decimal {
    const scale = this.scale - that.scale;
    const whole = scale >= 0 && scale <= places ? wholeQuotient(this.units, that.units) : undefined;
    // Small units keep the sums that follow fast.
    if (whole !== undefined) return new Decimal(whole, scale);
    const shift = places - scale;
    const quotient =
      shift >= 0
        ? divide(scaleUp(this.units, shift), that.units, rounding)
        : divide(this.units, scaleUp(that.units, -shift), rounding);
    return new Decimal(quotient, places);
  }

  neg(): Decimal {
    return new Decimal(neg(this.units), this.scale);
  }

  abs(): Decimal {
    return this.units < 0 ? new Decimal(abs(this.units), this.scale) : this;
  }

  toDecimalPlaces(places: number, rounding: Rounding = 'half-even'): Decimal {
    if (this.scale <= places) return this;
    return new Decimal(scaleDown(this.units, this.scale - places, rounding), places);
  }

  floor(): Decimal {
    return this.toDecimalPlaces(0, 'floor');
  }

  ceil(): Decimal {
    return this.toDecimalPlaces(0, 'ceil');
  }

  round(): Decimal {
    return this.toDecimalPlaces(0);
  }

  cmp(other: DecimalLike): -1 | 0 | 1 {
    const that = exact(other);
    const { scale } = this;
    if (scale === that.scale) return compare(this.units, that.units);
    return scale > that.scale
      ? compare(this.units, scaleUp(that.units, scale - that.scale))
      : compare(scaleUp(this.units, that.scale - scale), that.units);
  }

  eq(other: DecimalLike): boolean {
    return this.cmp(other) === 0;
  }

  gt(other: DecimalLike): boolean {
    return this.cmp(other) > 0;
  }

  gte(other: DecimalLike): boolean {
    return this.cmp(other) >= 0;
  }

  lt(other: DecimalLike): boolean {
    return this.cmp(other) < 0;
  }

  lte(other: DecimalLike): boolean {
    return this.cmp(other) <= 0;
  }

  isZero(): boolean {
    return this.units === 0;
  }

  isNegative(): boolean {
    return this.units < 0;
  }

  /** True for zero. */
  isPositive(): boolean {
    return this.units >= 0;
  }

  isInteger(): boolean {
    return this.decimalPlaces() === 0;
  }

  decimalPlaces(): number {
    return this.scale - zerosAtTheEnd(this.units, this.scale);
  }

  /** The nearest double. */
  toNumber(): number {
    return unitsToNumber(this.units, this.scale);
  }

  /** Next to the nearest double, or it: faster where units are unsafe. */
  toEstimate(): number {
    return unitsToEstimate(this.units, this.scale);
  }

  /** Canonical text: no exponent, no trailing zeros, no "-0". */
  toFixed(): string {
    return unitsText(this.units, this.scale);
  }

  toString(): string {
    return this.toFixed();
  }

  toJSON(): string {
    return this.toFixed();
  }

  /** Stripped if the units are unsafe, where arithmetic is slow. */
  narrowed(): Decimal {
    return typeof this.units === 'bigint' ? this.stripped() : this;
  }

  stripped(): Decimal {
    const zeros = zerosAtTheEnd(this.units, this.scale);
    return zeros === 0 ? this : new Decimal(scaleDown(this.units, zeros, 'down'), this.scale - zeros);
  }
}

function zerosAtTheEnd(units: Units, scale: number): number {
  if (units === 0) return scale;
  let zeros = 0;
  if (typeof units === 'number') {
    for (let rest = units; zeros < scale && rest % 10 === 0; rest /= 10) zeros++;
    return zeros;
  }
  for (let rest = units; zeros < scale && rest % 10n === 0n; rest /= 10n) zeros++;
  return zeros;
}

/** Throws `RangeError` unless it is a finite number. */
export function exact(value: DecimalLike): Decimal {
  if (value instanceof Decimal) return value;
  if (typeof value === 'string') return ofText(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? new Decimal(value + 0, 0) : ofText(String(value));
  return ofText(value.toFixed());
}

const LOOSE = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

function ofText(text: string): Decimal {
  const point = text.indexOf('.');
  let end = text.length;
  if (point >= 0) while (text.charCodeAt(end - 1) === 48) end--;
  const scale = point < 0 ? 0 : Math.max(0, end - point - 1);
  const units = parseUnits(text, scale);
  return units === undefined ? ofLoose(text) : new Decimal(units, scale);
}

/** Exponents (`"1.5e-7"`) and leading zeros. */
function ofLoose(text: string): Decimal {
  const parts = LOOSE.exec(text);
  if (parts === null) throw new RangeError(`not a decimal number: ${text}`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  const units = digits * 10n ** BigInt(Math.max(0, -scale));
  const value = new Decimal(parseUnits(units.toString(), 0) ?? 0, Math.max(0, scale)).stripped();
  return sign === '-' ? value.neg() : value;
}
