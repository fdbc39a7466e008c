import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, decimalText } from '../../src/model/money.ts';
import { formatScaled, parseScaled } from '../../src/model/scaled.ts';

const scales = fc.integer({ min: 0, max: 15 });
const integers = fc.maxSafeInteger();

describe('scaled integers', () => {
  it('format and parse are inverse', () => {
    fc.assert(
      fc.property(integers, scales, (value, scale) => {
        expect(parseScaled(formatScaled(value, scale), scale)).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it('format as decimals do', () => {
    fc.assert(
      fc.property(integers, scales, (value, scale) => {
        expect(formatScaled(value, scale)).toBe(decimalText(dec(value).div(dec(10).pow(scale))));
      }),
    );
  });

  it('parse what decimals parse, and NaN where it does not fit', () => {
    fc.assert(
      fc.property(
        integers,
        fc.integer({ min: 0, max: 12 }),
        scales,
        fc.integer({ min: 0, max: 3 }),
        (value, written, scale, zeros) => {
          const canonical = formatScaled(value, written);
          const text =
            zeros === 0 ? canonical : `${canonical}${canonical.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
          const exact = dec(text).times(dec(10).pow(scale));
          const expected =
            exact.isInteger() && exact.abs().lte(Number.MAX_SAFE_INTEGER) ? exact.toNumber() : Number.NaN;
          expect(parseScaled(text, scale)).toBe(expected === 0 ? 0 : expected);
        },
      ),
    );
  });

  it('never rounds: one digit too many is NaN', () => {
    expect(parseScaled('0.123', 2)).toBeNaN();
    expect(parseScaled('0.120', 2)).toBe(12);
    expect(parseScaled('9007199254740993', 0)).toBeNaN();
    expect(parseScaled('900719925474099.3', 1)).toBeNaN();
  });

  it('takes nothing that is not a plain decimal', () => {
    for (const text of ['', '-', '.', '.5', '5.', '1e3', '+1', ' 1', '1 ', '1_0', '0x1', 'NaN', '٣'])
      expect(parseScaled(text, 2)).toBeNaN();
  });

  it('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string(), scales, (text, scale) => {
        parseScaled(text, scale);
      }),
    );
  });

  it('refuses to format what is not a safe integer', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(() => formatScaled(value, 2)).toThrow(RangeError);
  });
});
