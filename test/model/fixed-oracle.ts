/**
 * What the fixed-point arithmetic must come to, computed in other ways: with plain big integers, and with a decimal.js of
 * more digits than any operand here needs. Shares no code with `src/model/fixed*.ts`.
 */
import { Decimal as BaseDecimal } from 'decimal.js';
import type { Rounding, Units } from '../../src/model/numbers/fixed.ts';

export const Exact = BaseDecimal.clone({
  precision: 400,
  rounding: BaseDecimal.ROUND_HALF_EVEN,
  toExpNeg: -9e15,
  toExpPos: 9e15,
  defaults: true,
});
export type Exact = InstanceType<typeof Exact>;

export const ROUNDINGS: readonly Rounding[] = ['down', 'up', 'floor', 'ceil', 'half-even', 'half-up'];

const MODES: Readonly<Record<Rounding, BaseDecimal.Rounding>> = {
  down: BaseDecimal.ROUND_DOWN,
  up: BaseDecimal.ROUND_UP,
  floor: BaseDecimal.ROUND_FLOOR,
  ceil: BaseDecimal.ROUND_CEIL,
  'half-even': BaseDecimal.ROUND_HALF_EVEN,
  'half-up': BaseDecimal.ROUND_HALF_UP,
};

/** The one form that `Units` has for a value. */
export function normal(value: bigint): Units {
  const nearest = Number(value);
  return Number.isSafeInteger(nearest) ? nearest : value;
}

export function exactOf(value: Units): Exact {
  return new Exact(String(value));
}

/** Of a decimal without a fraction. */
export function unitsOfExact(value: Exact): Units {
  return normal(BigInt(value.toFixed()));
}

export function roundedExact(value: Exact, rounding: Rounding): Units {
  return unitsOfExact(value.toDecimalPlaces(0, MODES[rounding]));
}

function floorOf(dividend: bigint, divisor: bigint): bigint {
  const [top, bottom] = divisor < 0n ? [-dividend, -divisor] : [dividend, divisor];
  const modulus = ((top % bottom) + bottom) % bottom;
  return (top - modulus) / bottom;
}

/** By floors alone: the code under test cuts toward zero and corrects. */
export function bigDivided(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const isNegative = dividend < 0n !== divisor < 0n;
  const floor = floorOf(dividend, divisor);
  const ceil = -floorOf(-dividend, divisor);
  switch (rounding) {
    case 'floor':
      return floor;
    case 'ceil':
      return ceil;
    case 'down':
      return isNegative ? ceil : floor;
    case 'up':
      return isNegative ? floor : ceil;
    case 'half-even': {
      const up = floorOf(2n * dividend + divisor, 2n * divisor);
      const down = -floorOf(divisor - 2n * dividend, 2n * divisor);
      return up % 2n === 0n ? up : down;
    }
    case 'half-up':
      return isNegative
        ? -floorOf(divisor - 2n * dividend, 2n * divisor)
        : floorOf(2n * dividend + divisor, 2n * divisor);
  }
}

const PLAIN = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

export function parsed(text: string, scale: number): Units | undefined {
  const match = PLAIN.exec(text);
  if (match === null) return undefined;
  const [, minus = '', whole = '', written = ''] = match;
  const fraction = written.replace(/0+$/, '');
  if (fraction.length > scale) return undefined;
  const magnitude = BigInt(whole + fraction.padEnd(scale, '0'));
  return normal(minus === '' ? magnitude : -magnitude);
}

/** The double nearest to `units / 10^scale`, ties to even, from its 53 bits. For values without subnormals. */
export function nearestDouble(units: bigint, scale: number): number {
  if (units === 0n) return 0;
  const top = units < 0n ? -units : units;
  const bottom = 10n ** BigInt(scale);
  let exponent = top.toString(2).length - bottom.toString(2).length - 53;
  const bitsAt = (power: number): bigint =>
    power >= 0
      ? bigDivided(top, bottom << BigInt(power), 'half-even')
      : bigDivided(top << BigInt(-power), bottom, 'half-even');
  while (bitsAt(exponent) >= 2n ** 53n) exponent++;
  const nearest = Number(bitsAt(exponent)) * 2 ** exponent;
  return units < 0n ? -nearest : nearest;
}
