/** Decimals against another library at a precision that nothing here reaches. */
import { Decimal as Library } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rounding } from '../../../src/model/numbers/fixed.ts';
import { dec, decimalOrNull, type Decimal } from '../../../src/model/numbers/money.ts';

const Oracle = Library.clone({ precision: 400, toExpNeg: -9e15, toExpPos: 9e15, defaults: true });
type Oracle = InstanceType<typeof Oracle>;

/** Also around 2^53, where units become big integers. */
const units = fc.oneof(
  fc.bigInt({ min: -(10n ** 4n), max: 10n ** 4n }),
  fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
);
const texts = fc
  .tuple(units, fc.integer({ min: 0, max: 24 }))
  .map(([value, scale]) => new Oracle(value.toString()).div(new Oracle(10).pow(scale)).toFixed());
const both = fc.tuple(texts, texts);

const MODES: readonly (readonly [Rounding, Library.Rounding])[] = [
  ['up', 0],
  ['down', 1],
  ['ceil', 2],
  ['floor', 3],
  ['half-up', 4],
  ['half-even', 6],
];

function textOf(value: Oracle): string {
  return value.isZero() ? '0' : value.toFixed();
}

function agrees(mine: Decimal, oracle: Oracle): void {
  expect(mine.toFixed()).toBe(textOf(oracle));
  expect(mine.toNumber()).toBe(oracle.toNumber() + 0);
}

describe('decimals', () => {
  it('add, subtract and multiply exactly', () => {
    fc.assert(
      fc.property(both, ([a, b]) => {
        agrees(dec(a).plus(b), new Oracle(a).plus(b));
        agrees(dec(a).minus(dec(b)), new Oracle(a).minus(b));
        agrees(dec(a).times(b), new Oracle(a).times(b));
        agrees(dec(a).neg().abs(), new Oracle(a).abs());
      }),
    );
  });

  it('estimate within one double beside the nearest, and exactly where units are safe', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const [value, nearest] = [dec(text), new Oracle(text).toNumber() + 0];
        if (typeof value.units === 'number' && value.scale <= 22) expect(value.toEstimate()).toBe(nearest);
        else expect(Math.abs(value.toEstimate() - nearest)).toBeLessThanOrEqual(Math.abs(nearest) * 2 ** -52);
      }),
    );
  });

  it('compare at any two scales', () => {
    fc.assert(
      fc.property(both, ([a, b]) => {
        const [x, y] = [dec(a), dec(b)];
        const order = new Oracle(a).cmp(b);
        expect([x.cmp(y), x.eq(b), x.lt(b), x.lte(y), x.gt(y), x.gte(b)]).toEqual(
          [order, order === 0, order < 0, order <= 0, order > 0, order >= 0].map((each) => (each === 0 ? 0 : each)),
        );
        expect(dec(`${a.includes('.') ? a : `${a}.`}000`).eq(a)).toBe(true);
        expect([x.isZero(), x.isNegative(), x.isInteger()]).toEqual([
          new Oracle(a).isZero(),
          new Oracle(a).lt(0),
          new Oracle(a).isInteger(),
        ]);
      }),
    );
  });

  it('round in every mode, once', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 20 }), (a, places) => {
        for (const [mode, library] of MODES)
          agrees(dec(a).toDecimalPlaces(places, mode), new Oracle(a).toDecimalPlaces(places, library));
        agrees(dec(a).floor(), new Oracle(a).floor());
        agrees(dec(a).ceil(), new Oracle(a).ceil());
      }),
    );
  });

  it('divide to the last of the places that are asked for, and to 40 digits where none are', () => {
    fc.assert(
      fc.property(both, fc.integer({ min: 0, max: 20 }), ([a, b], places) => {
        if (dec(b).isZero()) {
          expect(() => dec(a).div(b)).toThrow(RangeError);
          return;
        }
        const quotient = new Oracle(a).div(b);
        for (const [mode, library] of MODES)
          agrees(dec(a).over(dec(b), places, mode), quotient.toDecimalPlaces(places, library));
        const found = new Oracle(dec(a).div(b).toFixed());
        expect(found.minus(quotient).abs().lte(quotient.abs().times('1e-39'))).toBe(true);
      }),
    );
  });

  it('read what JS numbers show themselves as, and nothing that is no number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        agrees(dec(value), new Oracle(value));
      }),
    );
    for (const text of ['', 'abc', '1.2.3', 'NaN', 'Infinity', '1e', '--1', ' 1', '1_0'])
      expect(() => dec(text)).toThrow(RangeError);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) expect(decimalOrNull(value)).toBeNull();
    expect(dec(new Oracle('1.50')).toFixed()).toBe('1.5');
  });
});
