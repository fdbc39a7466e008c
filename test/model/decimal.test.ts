/** The oracle is decimal.js itself with 60 digits, under amounts of every size, most of them around 2^53, where doubles end. */
import { Decimal as BaseDecimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/model/decimal.ts';
import { Oracle, oracleText } from './decimal-oracle.ts';
import { scaledText } from './decimal-texts.ts';

const EXACT_MAX = 2n ** 53n - 1n;
const within = (max: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: -max, max });

/** Units of an amount: small, at the edge of what a double holds, a power of ten or a thousand of ones beside it, far beyond. */
const units = fc.oneof(
  within(1000n),
  within(10n ** 9n),
  within(EXACT_MAX),
  within(50n).map((near) => EXACT_MAX + near),
  within(50n).map((near) => -EXACT_MAX + near),
  fc.tuple(fc.nat(18), within(3n)).map(([exponent, near]) => 10n ** BigInt(exponent) + near),
  fc.tuple(fc.nat(15), within(3n)).map(([exponent, near]) => EXACT_MAX / 10n ** BigInt(exponent) + near),
  within(10n ** 38n),
);
const texts = fc.tuple(units, fc.oneof(fc.nat(9), fc.nat(30))).map(([unit, scale]) => scaledText(unit, scale));
const RUNS = { numRuns: 5000 };

function saysTheSame(ours: Decimal, oracle: Oracle): void {
  expect(ours.toFixed()).toBe(oracleText(oracle));
  expect(ours.isZero()).toBe(oracle.isZero());
  expect(ours.isNegative()).toBe(oracle.lt(0));
  expect(ours.isPositive()).toBe(oracle.gte(0));
  expect(ours.isInteger()).toBe(oracle.isInteger());
  expect(ours.isFinite()).toBe(oracle.isFinite());
  expect(ours.toNumber() + 0).toBe(oracle.toNumber() + 0);
  expect(ours.decimalPlaces()).toBe(oracle.decimalPlaces());
}

type Operation = 'plus' | 'minus' | 'times' | 'div' | 'mod';

describe('decimal', () => {
  it.each<Operation>(['plus', 'minus', 'times', 'div', 'mod'])('%s is that of decimal.js', (operation) => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        fc.pre(other !== '0' || (operation !== 'div' && operation !== 'mod'));
        const ours = Decimal.of(one)[operation](Decimal.of(other));
        saysTheSame(ours, new Oracle(one)[operation](other));
      }),
      RUNS,
    );
  });

  it('stays the same over chains of operations, whose results are operands again', () => {
    const step = fc.tuple(fc.constantFrom<Operation>('plus', 'minus', 'times', 'div'), texts);
    fc.assert(
      fc.property(texts, fc.array(step, { maxLength: 12 }), (start, steps) => {
        let ours = Decimal.of(start);
        let oracle = new Oracle(start);
        for (const [operation, text] of steps) {
          if (operation === 'div' && text === '0') continue;
          ours = ours[operation](text);
          oracle = oracle[operation](text);
          saysTheSame(ours, oracle);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('compares as decimal.js does', () => {
    const neighbours = fc.tuple(texts, units, fc.nat(24)).map(([text, unit, scale]) => {
      const near = new Oracle(text).plus(scaledText(unit % 2n, scale));
      return [text, oracleText(near)] as const;
    });
    fc.assert(
      fc.property(fc.oneof(fc.tuple(texts, texts), neighbours), ([one, other]) => {
        const [left, right, order] = [Decimal.of(one), Decimal.of(other), new Oracle(one).cmp(other)];
        expect(left.cmp(right)).toBe(order);
        expect(right.cmp(left) + order).toBe(0);
        expect([left.lt(right), left.lte(right)]).toEqual([order < 0, order <= 0]);
        expect([left.gt(right), left.gte(right), left.eq(right)]).toEqual([order > 0, order >= 0, order === 0]);
        expect(Decimal.min(left, right).toFixed()).toBe(oracleText(Oracle.min(one, other)));
        expect(Decimal.max(left, right).toFixed()).toBe(oracleText(Oracle.max(one, other)));
        expect(Decimal.sum(left, right, one).toFixed()).toBe(oracleText(new Oracle(one).plus(other).plus(one)));
      }),
      RUNS,
    );
  });

  it('rounds as decimal.js does', () => {
    const modes = fc.constantFrom(
      ['up', Oracle.ROUND_UP] as const,
      ['down', Oracle.ROUND_DOWN] as const,
      ['ceil', Oracle.ROUND_CEIL] as const,
      ['floor', Oracle.ROUND_FLOOR] as const,
      ['half-up', Oracle.ROUND_HALF_UP] as const,
      ['half-even', Oracle.ROUND_HALF_EVEN] as const,
    );
    fc.assert(
      fc.property(texts, fc.nat(20), modes, (text, places, [mode, theirs]) => {
        const [ours, oracle] = [Decimal.of(text), new Oracle(text)];
        saysTheSame(ours.toDecimalPlaces(places, mode), oracle.toDecimalPlaces(places, theirs));
        saysTheSame(ours.neg(), oracle.neg());
        saysTheSame(ours.abs(), oracle.abs());
        saysTheSame(ours.floor(), oracle.floor());
        saysTheSame(ours.ceil(), oracle.ceil());
        saysTheSame(ours.round(), oracle.round());
      }),
      RUNS,
    );
  });

  it('takes numbers by their shortest text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        saysTheSame(Decimal.of(number), new Oracle(number));
      }),
    );
  });

  it('takes a decimal of another copy of decimal.js', () => {
    const Foreign = BaseDecimal.clone({ precision: 20, defaults: true });
    for (const text of ['0.1', '-0', '123456789012345678901234567890.5', '1e-7', '1e30'])
      saysTheSame(Decimal.of(new Foreign(text)), new Oracle(text));
  });

  it('keeps what is no finite number apart, and refuses text that is no number', () => {
    for (const text of ['NaN', 'Infinity', '-Infinity']) {
      const value = Decimal.of(text);
      expect(value.isFinite()).toBe(false);
      expect(value.isNaN()).toBe(text === 'NaN');
      expect(value.plus(1).isFinite()).toBe(false);
      expect(value.eq(0) || value.isZero()).toBe(false);
    }
    expect(Decimal.of(1).div(0).isFinite()).toBe(false);
    expect(Decimal.of('NaN').lt(1) || Decimal.of('NaN').gte(1)).toBe(false);
    expect(Decimal.min(1, 'NaN').isNaN() && Decimal.max('NaN', 1).isNaN()).toBe(true);
    expect(Decimal.of(-1).div(0).lt(-1e300) && Decimal.of(1).div(0).gt(1e300)).toBe(true);
    for (const text of ['', '.', 'one', '1,5', '1.2.3', '--1', '1e', '1e99999999'])
      expect(() => Decimal.of(text)).toThrow();
  });

  it('writes itself as plain text into JSON and into texts', () => {
    expect(JSON.stringify([Decimal.of('1e21'), Decimal.of('-0'), Decimal.of('1.50')])).toBe(
      '["1000000000000000000000","0","1.5"]',
    );
    expect(String(Decimal.of('1e-20'))).toBe('0.00000000000000000001');
  });
});
