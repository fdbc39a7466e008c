import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dec, decimalText, isDecimalText } from '../../../src/model/numbers/money.ts';
import { decimalTexts, scaledText } from '../decimal-texts.ts';

describe('money', () => {
  it('reads and writes canonical text without loss', () => {
    fc.assert(
      fc.property(decimalTexts, (text) => {
        expect(decimalText(dec(text))).toBe(text);
      }),
    );
  });

  it('writes no exponent, no trailing zero and no minus zero', () => {
    for (const [value, text] of [
      ['1e-18', '0.000000000000000001'],
      ['1e21', '1000000000000000000000'],
      ['-0', '0'],
      ['1.500', '1.5'],
      ['100', '100'],
      [0.1, '0.1'],
      [-0, '0'],
      [1e-7, '0.0000001'],
    ] as const) {
      expect(decimalText(value)).toBe(text);
    }
  });

  it('adds and multiplies exactly, as big integers do', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }),
        fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }),
        (a, b) => {
          const scale = 8;
          const x = dec(scaledText(a, scale));
          const y = dec(scaledText(b, scale));
          expect(decimalText(x.plus(y))).toBe(scaledText(a + b, scale));
          expect(decimalText(x.times(y))).toBe(scaledText(a * b, scale * 2));
        },
      ),
    );
  });

  it('sums to the same in any order', () => {
    fc.assert(
      fc.property(fc.array(decimalTexts, { maxLength: 20 }), (texts) => {
        const forth = texts.reduce((sum, text) => sum.plus(dec(text)), dec(0));
        const back = texts.reduceRight((sum, text) => sum.plus(dec(text)), dec(0));
        expect(forth.eq(back)).toBe(true);
      }),
    );
  });

  it('knows plain decimal text from anything else', () => {
    fc.assert(
      fc.property(decimalTexts, (text) => {
        expect(isDecimalText(text)).toBe(true);
      }),
    );
    for (const text of [
      '',
      '.5',
      '5.',
      '1e3',
      '+1',
      ' 1',
      '1 ',
      '01',
      '0x10',
      'NaN',
      'Infinity',
      '1,5',
      '--1',
      '1.2.3',
    ])
      expect(isDecimalText(text)).toBe(false);
  });
});
