/**
 * An exact decimal (wall 7). Nearly every amount is an integer of at most 15 digits with a point somewhere: it is kept as
 * `mantissa` × 10^-`scale` in doubles, and its sums, products and comparisons are a few machine instructions. A result that
 * might not be exact in a double is never used: it is computed with big integers instead (`scaled-bigint.ts`), and kept there.
 *
 * Results with more than 60 significant digits are rounded to 60, half to even. Zero has no sign. What is no finite number
 * stays none. All values are those of decimal.js with that precision (`test/model/decimal.test.ts`).
 *
 * Invariant: `units` is null and |mantissa| an integer below 2^53 with 0 <= scale <= `SCALE_MAX`, or NaN or infinite with scale
 * 0; or `units` × 10^-`scale` is the value and mantissa is NaN, so that it spoils every quick result. Immutable.
 */
import { formatScaled, parseScaled, pointedText } from './scaled.ts';
import { limited, parseBigint, quotient, roundedOff, tenTo, type Rounding } from './scaled-bigint.ts';

/** What an action or a caller may hand over as an amount; a strategy's own decimal.js counts too. */
export type DecimalLike = number | string | Decimal | ForeignDecimal;

export interface ForeignDecimal {
  /** Plain text without exponent. */
  toFixed(): string;
  isFinite(): boolean;
  toString(): string;
}

const DIGITS_MAX = 60;
const SIXTY_DIGITS = tenTo(DIGITS_MAX);
/** Up to here a power of ten is an exact double. */
const SCALE_MAX = 22;
const POWERS: readonly number[] = Array.from({ length: SCALE_MAX + 1 }, (_, exponent) => Number(`1e${exponent}`));
const EXACT_MAX = Number.MAX_SAFE_INTEGER;

/** Whether a sum or product of integers is the exact one: a rounded one is never below 2^53. False for NaN. */
function isExact(integer: number): boolean {
  return integer <= EXACT_MAX && integer >= -EXACT_MAX;
}

export class Decimal implements ForeignDecimal {
  readonly mantissa: number;
  readonly scale: number;
  readonly units: bigint | null;

  private constructor(mantissa: number, scale: number, units: bigint | null) {
    this.mantissa = mantissa;
    this.scale = scale;
    this.units = units;
  }

  /** Text and decimals as they are; a number is its shortest decimal text. Throws `RangeError` on text that is no number. */
  static of(value: DecimalLike): Decimal {
    if (value instanceof Decimal) return value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return Decimal.#narrow(value, 0);
    return Decimal.#read(typeof value === 'object' ? value.toFixed() : String(value));
  }

  static min(first: DecimalLike, ...others: readonly DecimalLike[]): Decimal {
    let least = Decimal.of(first);
    for (const each of others) {
      const other = Decimal.of(each);
      if (other.lt(least) || other.isNaN()) least = other;
    }
    return least;
  }

  static max(first: DecimalLike, ...others: readonly DecimalLike[]): Decimal {
    let greatest = Decimal.of(first);
    for (const each of others) {
      const other = Decimal.of(each);
      if (other.gt(greatest) || other.isNaN()) greatest = other;
    }
    return greatest;
  }

  static sum(...values: readonly DecimalLike[]): Decimal {
    return values.reduce<Decimal>((sum, value) => sum.plus(value), ZERO);
  }

  plus(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    return this.#quickSum(other, other.mantissa) ?? this.#sum(other, 1n);
  }

  minus(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    return this.#quickSum(other, -other.mantissa) ?? this.#sum(other, -1n);
  }

  times(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    const product = this.mantissa * other.mantissa;
    const scale = this.scale + other.scale;
    if (isExact(product) && scale <= SCALE_MAX) return Decimal.#narrow(product, scale);
    if (!this.isFinite() || !other.isFinite()) return Decimal.#endless(this.toNumber() * other.toNumber());
    return Decimal.#wide(this.#units() * other.#units(), scale);
  }

  div(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    const scale = this.scale - other.scale;
    if (this.mantissa % other.mantissa === 0) {
      const whole = this.mantissa / other.mantissa;
      if (scale >= 0) return Decimal.#narrow(whole, scale);
      const shifted = whole * POWERS[-scale]!;
      if (isExact(shifted)) return Decimal.#narrow(shifted, 0);
    }
    if (!this.isFinite() || !other.isFinite() || other.isZero())
      return Decimal.#endless(this.toNumber() / other.toNumber());
    const left = { units: this.#units(), scale: this.scale };
    const found = quotient(left, { units: other.#units(), scale: other.scale }, DIGITS_MAX);
    return Decimal.#wide(found.units, found.scale);
  }

  /** What is left of a division, with the sign of this; NaN unless both are finite and the divisor is not zero. */
  mod(value: DecimalLike): Decimal {
    const other = Decimal.of(value);
    if (!this.isFinite() || !other.isFinite() || other.isZero()) return Decimal.#endless(Number.NaN);
    const scale = Math.max(this.scale, other.scale);
    return Decimal.#wide(this.#unitsAt(scale) % other.#unitsAt(scale), scale);
  }

  neg(): Decimal {
    return this.units === null ? Decimal.#narrow(-this.mantissa, this.scale) : Decimal.#wide(-this.units, this.scale);
  }

  abs(): Decimal {
    return this.isNegative() ? this.neg() : this;
  }

  /** -1, 0 or 1; NaN where one of both is none. */
  cmp(value: DecimalLike): number {
    const other = Decimal.of(value);
    let left = this.mantissa;
    let right = other.mantissa;
    // One of both is an exact integer below 2^53. The other is too, or is at or beyond 2^53 by its rounded product as well.
    if (this.scale < other.scale) left *= POWERS[other.scale - this.scale] ?? Number.NaN;
    else if (this.scale > other.scale) right *= POWERS[this.scale - other.scale] ?? Number.NaN;
    if (left < right) return -1;
    if (left > right) return 1;
    return left === right ? 0 : this.#order(other);
  }

  eq(value: DecimalLike): boolean {
    return this.cmp(value) === 0;
  }

  lt(value: DecimalLike): boolean {
    return this.cmp(value) < 0;
  }

  lte(value: DecimalLike): boolean {
    return this.cmp(value) <= 0;
  }

  gt(value: DecimalLike): boolean {
    return this.cmp(value) > 0;
  }

  gte(value: DecimalLike): boolean {
    return this.cmp(value) >= 0;
  }

  isZero(): boolean {
    return this.mantissa === 0;
  }

  /** Below zero. */
  isNegative(): boolean {
    return this.units === null ? this.mantissa < 0 : this.units < 0n;
  }

  /** Zero or above. */
  isPositive(): boolean {
    return this.units === null ? this.mantissa >= 0 : this.units > 0n;
  }

  isFinite(): boolean {
    return this.units !== null || Number.isFinite(this.mantissa);
  }

  isNaN(): boolean {
    return this.units === null && Number.isNaN(this.mantissa);
  }

  isInteger(): boolean {
    return this.units === null ? this.mantissa % POWERS[this.scale]! === 0 : this.units % tenTo(this.scale) === 0n;
  }

  floor(): Decimal {
    return this.toDecimalPlaces(0, 'floor');
  }

  ceil(): Decimal {
    return this.toDecimalPlaces(0, 'ceil');
  }

  /** To the nearest integer, halves to the even one. */
  round(): Decimal {
    return this.toDecimalPlaces(0);
  }

  toDecimalPlaces(places: number, rounding: Rounding = 'half-even'): Decimal {
    if (this.scale <= places) return this;
    return Decimal.#wide(roundedOff(this.#units(), this.scale - places, rounding), places);
  }

  /** Digits after the point, trailing zeros not counted. */
  decimalPlaces(): number {
    const text = this.toFixed();
    const point = text.indexOf('.');
    return point < 0 ? 0 : text.length - point - 1;
  }

  /** The nearest double. */
  toNumber(): number {
    return this.units === null ? this.mantissa / POWERS[this.scale]! : Number(this.toFixed());
  }

  /** Canonical text: no exponent, no trailing zeros, no "-0". */
  toFixed(): string {
    if (this.units !== null) return pointedText(String(this.units), this.scale);
    return this.isFinite() ? formatScaled(this.mantissa, this.scale) : String(this.mantissa);
  }

  toString(): string {
    return this.toFixed();
  }

  toJSON(): string {
    return this.toFixed();
  }

  /** Null where doubles are not certain to hold the sum. `added`: the mantissa of `other`, with either sign. */
  #quickSum(other: Decimal, added: number): Decimal | null {
    let left = this.mantissa;
    let right = added;
    let { scale } = this;
    if (scale < other.scale) {
      left *= POWERS[other.scale - scale] ?? Number.NaN;
      scale = other.scale;
    } else if (scale > other.scale) {
      right *= POWERS[scale - other.scale] ?? Number.NaN;
    }
    const sum = left + right;
    return isExact(left) && isExact(right) && isExact(sum) ? Decimal.#narrow(sum, scale) : null;
  }

  #sum(other: Decimal, sign: 1n | -1n): Decimal {
    if (!this.isFinite() || !other.isFinite())
      return Decimal.#endless(this.toNumber() + Number(sign) * other.toNumber());
    const scale = Math.max(this.scale, other.scale);
    return Decimal.#wide(this.#unitsAt(scale) + sign * other.#unitsAt(scale), scale);
  }

  #order(other: Decimal): number {
    if (this.isNaN() || other.isNaN()) return Number.NaN;
    if (!this.isFinite() || !other.isFinite()) return Math.sign(this.toNumber() - other.toNumber());
    const scale = Math.max(this.scale, other.scale);
    const left = this.#unitsAt(scale);
    const right = other.#unitsAt(scale);
    return left < right ? -1 : Number(left > right);
  }

  #units(): bigint {
    return this.units ?? BigInt(this.mantissa);
  }

  #unitsAt(scale: number): bigint {
    return scale === this.scale ? this.#units() : this.#units() * tenTo(scale - this.scale);
  }

  /** An integer below 2^53 at a scale up to `SCALE_MAX`. */
  static #narrow(mantissa: number, scale: number): Decimal {
    // Scales of zero would only grow, and its sign says nothing.
    return mantissa === 0 ? ZERO : new Decimal(mantissa, scale, null);
  }

  /** Any value as it is, in doubles where they hold it. */
  static #held(units: bigint, scale: number): Decimal {
    const mantissa = Number(units);
    if (isExact(mantissa) && (scale <= SCALE_MAX || mantissa === 0)) return Decimal.#narrow(mantissa, scale);
    return new Decimal(Number.NaN, scale, units);
  }

  /** A result: rounded to 60 digits. */
  static #wide(units: bigint, scale: number): Decimal {
    if (units < SIXTY_DIGITS && units > -SIXTY_DIGITS) return Decimal.#held(units, scale);
    const rounded = limited({ units, scale }, DIGITS_MAX);
    return Decimal.#held(rounded.units, rounded.scale);
  }

  /** NaN or infinite. */
  static #endless(value: number): Decimal {
    return new Decimal(value, 0, null);
  }

  static #read(text: string): Decimal {
    const point = text.indexOf('.');
    const scale = point < 0 ? 0 : text.length - point - 1;
    const mantissa = scale > SCALE_MAX ? Number.NaN : parseScaled(text, scale);
    if (!Number.isNaN(mantissa)) return Decimal.#narrow(mantissa, scale);
    if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return Decimal.#endless(Number(text));
    const parsed = parseBigint(text);
    if (parsed === null) throw new RangeError(`not a decimal number: ${text}`);
    // However long: the text is the value.
    return Decimal.#held(parsed.units, parsed.scale);
  }

  static readonly ZERO = new Decimal(0, 0, null);
}

export const ZERO: Decimal = Decimal.ZERO;
