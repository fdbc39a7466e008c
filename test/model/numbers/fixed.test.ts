import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
  unitsOf,
  type Units,
} from '../../../src/model/numbers/fixed.ts';
import { parseUnits, unitsText, unitsToNumber } from '../../../src/model/numbers/fixed-text.ts';
import { decimalText, isDecimalText } from '../../../src/model/numbers/money.ts';
import { decimalTexts } from '../decimal-texts.ts';
import { differences } from '../fixed-differences.ts';
import { Exact, exactOf, nearestDouble, normal, roundedExact, ROUNDINGS, unitsOfExact } from '../fixed-oracle.ts';

const SAFE = Number.MAX_SAFE_INTEGER;
const EDGE = 2n ** 53n;
const EDGES: readonly Units[] = [0, 1, -1, SAFE, -SAFE, EDGE, -EDGE, EDGE + 1n, -EDGE - 1n];

const edges = fc.constantFrom(...EDGES);
const big = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(normal);
const units: fc.Arbitrary<Units> = fc.oneof(
  fc.maxSafeInteger().map((value) => value + 0),
  fc.integer({ min: -100, max: 100 }).map((value) => value + 0),
  edges,
  big,
);
const notZero = units.filter((value) => value !== 0);
const scales = fc.integer({ min: 0, max: 30 });
const roundings = fc.constantFrom(...ROUNDINGS);

function shifted(value: Units, scale: number): Exact {
  return exactOf(value).div(new Exact(10).pow(scale));
}

/** Equal, of the same type, and 0 apart from -0. */
function same(actual: Units | undefined, expected: Units | undefined): void {
  expect(actual).toBe(expected);
}

describe('fixed/arithmetic', () => {
  it('adds, subtracts and multiplies as decimal.js does', () => {
    fc.assert(
      fc.property(units, units, (a, b) => {
        same(add(a, b), unitsOfExact(exactOf(a).plus(exactOf(b))));
        same(sub(a, b), unitsOfExact(exactOf(a).minus(exactOf(b))));
        same(mul(a, b), unitsOfExact(exactOf(a).times(exactOf(b))));
      }),
    );
  });

  it('orders as decimal.js does', () => {
    fc.assert(
      fc.property(units, fc.oneof(units, fc.constant(null)), (a, other) => {
        const b = other ?? a;
        const order = exactOf(a).cmp(exactOf(b));
        expect(compare(a, b)).toBe(order);
        expect(a === b).toBe(order === 0);
        same(neg(a), unitsOfExact(exactOf(a).neg()));
        same(abs(a), unitsOfExact(exactOf(a).abs()));
      }),
    );
  });

  it('crosses into big integers and comes back', () => {
    same(add(SAFE, 1), EDGE);
    same(sub(EDGE, 1), SAFE);
    same(add(EDGE, -1), SAFE);
    same(add(SAFE, SAFE), 2n * EDGE - 2n);
    same(sub(-SAFE, 2), -EDGE - 1n);
    same(add(-EDGE - 1n, 2), -SAFE);
    same(sub(EDGE + 1n, EDGE + 1n), 0);
    same(mul(EDGE, 0), 0);
    same(neg(EDGE), -EDGE);
    same(divide(EDGE, 2, 'down'), 2 ** 52);
    fc.assert(
      fc.property(units, units, (a, b) => {
        same(sub(add(a, b), b), a);
        same(neg(neg(a)), a);
      }),
    );
    for (const a of EDGES) for (const b of EDGES) same(sub(add(a, b), a), b);
  });

  it('keeps a product as a number while it just fits', () => {
    same(mul(94906265, 94906265), 9007199136250225);
    same(mul(94906267, 94906267), 94906267n * 94906267n);
    same(mul(6361, 69431 * 20394401), SAFE);
    same(mul(-6361, 69431 * 20394401), -SAFE);
    same(mul(2 ** 26, 2 ** 27), EDGE);
    same(mul(3, 3002399751580331), EDGE + 1n);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SAFE }), fc.integer({ min: -1, max: 1 }), (a, off) => {
        const b = Math.floor(SAFE / a) + off;
        same(mul(a, b), normal(BigInt(a) * BigInt(b)));
        same(mul(-a, b), normal(-BigInt(a) * BigInt(b)));
      }),
    );
  });

  it('never makes a minus zero', () => {
    for (const zero of [mul(0, -5), mul(-5, 0), neg(0), sub(0, 0), add(5, -5), scaleUp(0, 3), scaleUp(0, 60)]) {
      same(zero, 0);
    }
    for (const rounding of ROUNDINGS) {
      same(divide(0, -5, rounding), 0);
      same(scaleDown(0, 20, rounding), 0);
    }
    same(divide(-1, 5, 'down'), 0);
    same(divide(-1, 5, 'ceil'), 0);
    same(divide(-1, 2, 'half-even'), 0);
    expect(divRem(0, -5)).toStrictEqual({ quotient: 0, remainder: 0 });
    expect(divRem(-4, 2)).toStrictEqual({ quotient: -2, remainder: 0 });
    expect(divRem(-1, 2)).toStrictEqual({ quotient: 0, remainder: -1 });
    for (const text of ['-0', '-0.00', '0.000', '-0.0000000000000000000000000000000']) same(parseUnits(text, 2), 0);
    expect(unitsText(-0, 2)).toBe('0');
  });

  it('normalises a big integer', () => {
    fc.assert(fc.property(fc.oneof(fc.bigInt(), edges.map(BigInt)), (value) => same(unitsOf(value), normal(value))));
  });
});

describe('fixed/division', () => {
  const halves = fc.tuple(notZero, fc.bigInt({ min: -1000n, max: 1000n }), fc.bigInt({ min: -1n, max: 1n }));
  /** Dividends near multiples of half the divisor, where roundings part; and any. */
  const divisions = fc.oneof(
    fc.tuple(units, notZero),
    halves.map(([b, count, off]) => [normal((BigInt(b) * count) / 2n + off), b] as const),
  );

  it('rounds each way as decimal.js does', () => {
    fc.assert(
      fc.property(divisions, roundings, ([a, b], rounding) => {
        same(divide(a, b, rounding), roundedExact(exactOf(a).div(exactOf(b)), rounding));
      }),
      { numRuns: 500 },
    );
  });

  it('rounds halves by the rule', () => {
    const halfOf = (a: Units): readonly Units[] => ROUNDINGS.map((rounding) => divide(a, 2, rounding));
    expect(halfOf(5)).toStrictEqual([2, 3, 2, 3, 2, 3]);
    expect(halfOf(7)).toStrictEqual([3, 4, 3, 4, 4, 4]);
    expect(halfOf(-5)).toStrictEqual([-2, -3, -3, -2, -2, -3]);
    expect(halfOf(-7)).toStrictEqual([-3, -4, -4, -3, -4, -4]);
    expect(halfOf(6)).toStrictEqual([3, 3, 3, 3, 3, 3]);
    expect(halfOf(2n * EDGE + 1n)).toStrictEqual([EDGE, EDGE + 1n, EDGE, EDGE + 1n, EDGE, EDGE + 1n]);
    expect(halfOf(-2n * EDGE - 1n)).toStrictEqual([-EDGE, -EDGE - 1n, -EDGE - 1n, -EDGE, -EDGE, -EDGE - 1n]);
    expect(halfOf(2n * EDGE - 1n)).toStrictEqual([SAFE, EDGE, SAFE, EDGE, EDGE, EDGE]);
  });

  it('cuts quotients that the nearest double is above', () => {
    for (const a of [SAFE, SAFE - 1, SAFE - 2]) {
      for (const b of [2, 3, 2 ** 26, 94906265, 94906266, SAFE - 1, SAFE - 2, SAFE]) {
        same(divide(a, b, 'down'), normal(BigInt(a) / BigInt(b)));
        same(divRem(a, b).remainder, normal(BigInt(a) % BigInt(b)));
      }
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: SAFE }), fc.integer({ min: 0, max: 3 }), (b, below) => {
        const a = Math.floor(SAFE / b) * b - below;
        same(divide(a, b, 'down'), normal(BigInt(a) / BigInt(b)));
      }),
    );
  });

  it('keeps the remainder', () => {
    fc.assert(
      fc.property(divisions, ([a, b]) => {
        const { quotient, remainder } = divRem(a, b);
        same(add(mul(quotient, b), remainder), a);
        expect(compare(abs(remainder), abs(b))).toBe(-1);
        same(quotient, roundedExact(exactOf(a).div(exactOf(b)), 'down'));
        same(remainder, unitsOfExact(exactOf(a).mod(exactOf(b))));
      }),
    );
  });

  it('changes the scale as decimal.js does', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 60 }), roundings, (a, digits, rounding) => {
        const power = new Exact(10).pow(digits);
        same(scaleUp(a, digits), unitsOfExact(exactOf(a).times(power)));
        same(scaleDown(a, digits, rounding), roundedExact(exactOf(a).div(power), rounding));
        same(scaleDown(scaleUp(a, digits), digits, rounding), a);
      }),
    );
  });

  it('refuses to divide by zero and to scale by what is no count of digits', () => {
    for (const a of [0, 1, EDGE]) {
      expect(() => divide(a, 0, 'down')).toThrow(RangeError);
      expect(() => divRem(a, 0)).toThrow(RangeError);
      for (const digits of [-1, 0.5, Number.NaN]) {
        expect(() => scaleUp(a, digits)).toThrow(RangeError);
        expect(() => scaleDown(a, digits, 'down')).toThrow(RangeError);
      }
    }
  });
});

describe('fixed/text', () => {
  it('writes what decimal.js writes', () => {
    fc.assert(
      fc.property(units, scales, (value, scale) => {
        expect(unitsText(value, scale)).toBe(shifted(value, scale).toFixed().replace(/^-0$/, '0'));
      }),
    );
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(units, scales, (value, scale) => {
        const text = unitsText(value, scale);
        same(parseUnits(text, scale), value);
        expect(isDecimalText(text)).toBe(true);
        expect(decimalText(text)).toBe(text);
      }),
    );
  });

  it('reads what decimal.js reads, or refuses what is finer than the scale', () => {
    const texts = fc.oneof(
      decimalTexts,
      fc.tuple(units, scales).map(([value, written]) => unitsText(value, written)),
    );
    fc.assert(
      fc.property(texts, scales, fc.integer({ min: 0, max: 3 }), (canonical, scale, zeros) => {
        const padding = zeros === 0 ? '' : `${canonical.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
        const exact = new Exact(canonical).times(new Exact(10).pow(scale));
        same(parseUnits(canonical + padding, scale), exact.isInteger() ? unitsOfExact(exact) : undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('reads the borders of safe integers', () => {
    for (const value of EDGES) {
      for (const scale of [0, 1, 15, 16, 17, 30]) same(parseUnits(unitsText(value, scale), scale), value);
    }
    same(parseUnits('9007199254740991', 0), SAFE);
    same(parseUnits('9007199254740992', 0), EDGE);
    same(parseUnits('-9007199254740993.000', 0), -EDGE - 1n);
    same(parseUnits('900719925474099.1', 1), SAFE);
    same(parseUnits('900719925474099.3', 1), EDGE + 1n);
    same(parseUnits('1', 15), 10 ** 15);
    same(parseUnits('1', 16), 10n ** 16n);
    same(parseUnits('0', 30), 0);
    same(parseUnits('0.5', 30), 5n * 10n ** 29n);
    same(parseUnits('1'.repeat(400), 2), BigInt(`${'1'.repeat(400)}00`));
  });

  it('never rounds', () => {
    same(parseUnits('0.123', 2), undefined);
    same(parseUnits('0.120', 2), 12);
    same(parseUnits('1.5', 0), undefined);
    same(parseUnits('1.0', 0), 1);
    same(parseUnits('99999999999999999999.001', 2), undefined);
  });

  it('takes what is plain decimal text and nothing else', () => {
    const garbage = ['', '-', '.', '-.', '.5', '-.5', '5.', '-5.', '1e3', '1E3', '+1', ' 1', '1 ', '1\n', '--1', '1-'];
    const more = ['01', '-01', '00', '00.5', '1_0', '1,5', '1.2.3', '1..2', '0x1', 'NaN', 'Infinity', '٣', '１', '1n'];
    for (const text of [...garbage, ...more]) {
      same(parseUnits(text, 2), undefined);
    }
    const near = fc.string({ unit: fc.constantFrom('0', '1', '9', '.', '-', '+', 'e', ' ', '٣'), maxLength: 6 });
    fc.assert(
      fc.property(fc.oneof(near, fc.string(), decimalTexts), (text) => {
        expect(parseUnits(text, 40) !== undefined).toBe(isDecimalText(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('gives the nearest double', () => {
    fc.assert(
      fc.property(units, scales, (value, scale) => {
        expect(unitsToNumber(value, scale)).toBe(nearestDouble(BigInt(value), scale));
      }),
      { numRuns: 500 },
    );
    expect(unitsToNumber(0, 30)).toBe(0);
    expect(unitsToNumber(6000050, 2)).toBe(60000.5);
    expect(unitsToNumber(EDGE + 1n, 0)).toBe(2 ** 53);
    expect(unitsToNumber(EDGE + 3n, 0)).toBe(2 ** 53 + 4);
  });

  it('refuses to write what is not a safe integer', () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      for (const scale of [0, 2]) expect(() => unitsText(value, scale)).toThrow(RangeError);
    }
  });
});

describe('fixed/differences', () => {
  it('finds none in a slice of the long run', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect([...differences(seed, 1000)]).toStrictEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
