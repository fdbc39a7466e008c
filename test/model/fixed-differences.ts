/**
 * Random operations of the fixed-point arithmetic against the same ones computed in other ways (`fixed-oracle.ts`): all
 * with plain big integers, a share with decimal.js as well. Used by `fixed.test.ts` and, at length, `fixed-long.ts`.
 */
import * as fixed from '../../src/model/numbers/fixed.ts';
import type { Rounding, Units } from '../../src/model/numbers/fixed.ts';
import { parseUnits, unitsText, unitsToNumber } from '../../src/model/numbers/fixed-text.ts';
import type { Random } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { scaledText } from './decimal-texts.ts';
import * as oracle from './fixed-oracle.ts';
import { exactOf, normal, roundedExact, unitsOfExact } from './fixed-oracle.ts';

type Outcome = Units | string | boolean | undefined;

interface Case {
  readonly operands: readonly (Units | string)[];
  readonly actual: Outcome;
  readonly expected: Outcome;
  /** The same from decimal.js; asked for now and then, it is slow. */
  readonly decimal?: () => Outcome;
}

export interface Difference extends Omit<Case, 'decimal'> {
  readonly operation: string;
}

/** One in so many is computed with decimal.js, too. */
const DECIMAL_EVERY = 16;
const SCALE_MAX = 30;
const DIGITS_MAX = 60;
const EDGE = 2 ** 53;
const GARBAGE = ['-', '.', '+', ' ', 'e', 'E', '0', '00', '٣', '１', '\n', '\0', '_', ',', 'x', 'Infinity', 'NaN'];

/** Operands by chance: of any size, and near the border of safe integers. */
class Draw {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** From 0 to `max`. */
  upTo(max: number): number {
    return Math.floor(this.#random.next() * (max + 1));
  }

  oneOf<T>(values: readonly T[]): T {
    return values[this.upTo(values.length - 1)]!;
  }

  scale(): number {
    return this.upTo(SCALE_MAX);
  }

  rounding(): Rounding {
    return this.oneOf(oracle.ROUNDINGS);
  }

  units(): Units {
    const value = this.#magnitude();
    return this.upTo(1) === 0 ? value : normal(-BigInt(value));
  }

  notZero(): Units {
    for (;;) {
      const value = this.units();
      if (value !== 0) return value;
    }
  }

  #magnitude(): Units {
    switch (this.upTo(7)) {
      case 0:
        return this.upTo(100);
      case 1:
        return normal(BigInt(EDGE - 4) + BigInt(this.upTo(8)));
      case 2:
        return this.big(this.upTo(200));
      case 3:
        return normal(10n ** BigInt(this.upTo(40)) + BigInt(this.upTo(2)) - 1n);
      default:
        return this.upTo(2 ** this.upTo(53) - 1);
    }
  }

  /** Of up to so many bits. */
  big(bits: number): Units {
    let value = 0n;
    for (let left = bits; left > 0; left -= 32) value = (value << 32n) | BigInt(this.upTo(2 ** Math.min(left, 32) - 1));
    return normal(value);
  }

  /** A factor for a product near the border of safe integers, or any. */
  factor(other: Units): Units {
    if (typeof other !== 'number' || other === 0 || this.upTo(1) === 0) return this.units();
    return Math.trunc(EDGE / other) + this.upTo(2) - 1;
  }

  /** A dividend of any size, or near a multiple of half the divisor. */
  dividend(divisor: Units): Units {
    if (this.upTo(1) === 0) return this.units();
    const halves = BigInt(this.units()) % 1_000_000n;
    return normal((BigInt(divisor) * halves) / 2n + BigInt(this.upTo(2) - 1));
  }

  /** Plain text with up to three zeros behind it. */
  text(scale: number): string {
    const text = scaledText(BigInt(this.units()), scale);
    const zeros = this.upTo(5);
    if (zeros > 3 || zeros === 0) return text;
    return `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(zeros)}`;
  }

  /** Text with something in it that may not belong there. */
  garbage(scale: number): string {
    const text = this.text(scale);
    const at = this.upTo(text.length);
    return text.slice(0, at) + this.oneOf(GARBAGE) + text.slice(at + this.upTo(1));
  }
}

function added(draw: Draw): Case {
  const [a, b] = [draw.units(), draw.units()];
  const expected = normal(BigInt(a) + BigInt(b));
  return {
    operands: [a, b],
    actual: fixed.add(a, b),
    expected,
    decimal: () => unitsOfExact(exactOf(a).plus(exactOf(b))),
  };
}

function subtracted(draw: Draw): Case {
  const [a, b] = [draw.units(), draw.units()];
  const expected = normal(BigInt(a) - BigInt(b));
  return {
    operands: [a, b],
    actual: fixed.sub(a, b),
    expected,
    decimal: () => unitsOfExact(exactOf(a).minus(exactOf(b))),
  };
}

function multiplied(draw: Draw): Case {
  const a = draw.units();
  const b = draw.factor(a);
  const expected = normal(BigInt(a) * BigInt(b));
  return {
    operands: [a, b],
    actual: fixed.mul(a, b),
    expected,
    decimal: () => unitsOfExact(exactOf(a).times(exactOf(b))),
  };
}

function scaledUp(draw: Draw): Case {
  const [a, digits] = [draw.units(), draw.upTo(draw.oneOf([8, DIGITS_MAX]))];
  const expected = normal(BigInt(a) * 10n ** BigInt(digits));
  return { operands: [a, digits], actual: fixed.scaleUp(a, digits), expected };
}

function scaledDown(draw: Draw): Case {
  const [digits, rounding] = [draw.upTo(draw.oneOf([8, DIGITS_MAX])), draw.rounding()];
  const power = 10n ** BigInt(digits);
  const a = draw.dividend(normal(power));
  return {
    operands: [a, digits, rounding],
    actual: fixed.scaleDown(a, digits, rounding),
    expected: normal(oracle.bigDivided(BigInt(a), power, rounding)),
    decimal: () => roundedExact(exactOf(a).div(exactOf(power)), rounding),
  };
}

function divided(draw: Draw): Case {
  const [b, rounding] = [draw.notZero(), draw.rounding()];
  const a = draw.dividend(b);
  return {
    operands: [a, b, rounding],
    actual: fixed.divide(a, b, rounding),
    expected: normal(oracle.bigDivided(BigInt(a), BigInt(b), rounding)),
    decimal: () => roundedExact(exactOf(a).div(exactOf(b)), rounding),
  };
}

function quotient(draw: Draw): Case {
  const b = draw.notZero();
  const a = draw.dividend(b);
  const expected = normal(oracle.bigDivided(BigInt(a), BigInt(b), 'down'));
  return { operands: [a, b], actual: fixed.divRem(a, b).quotient, expected };
}

function remainder(draw: Draw): Case {
  const b = draw.notZero();
  const a = draw.dividend(b);
  const expected = normal(BigInt(a) - oracle.bigDivided(BigInt(a), BigInt(b), 'down') * BigInt(b));
  return {
    operands: [a, b],
    actual: fixed.divRem(a, b).remainder,
    expected,
    decimal: () => unitsOfExact(exactOf(a).mod(exactOf(b))),
  };
}

function negated(draw: Draw): Case {
  const a = draw.units();
  return { operands: [a], actual: fixed.neg(a), expected: normal(-BigInt(a)) };
}

function magnitude(draw: Draw): Case {
  const a = draw.units();
  const big = BigInt(a);
  return { operands: [a], actual: fixed.abs(a), expected: normal(big < 0n ? -big : big) };
}

function order(a: bigint, b: bigint): number {
  const difference = a - b;
  return difference === 0n ? 0 : difference > 0n ? 1 : -1;
}

/** Two values that are equal now and then. */
function pair(draw: Draw): readonly [Units, Units] {
  const a = draw.units();
  return [a, draw.upTo(3) === 0 ? a : draw.units()];
}

function compared(draw: Draw): Case {
  const [a, b] = pair(draw);
  const expected = order(BigInt(a), BigInt(b));
  return { operands: [a, b], actual: fixed.compare(a, b), expected, decimal: () => exactOf(a).cmp(exactOf(b)) };
}

function read(draw: Draw): Case {
  const scale = draw.scale();
  const text = draw.text(draw.oneOf([scale, draw.scale()]));
  return {
    operands: [text, scale],
    actual: parseUnits(text, scale),
    expected: oracle.parsed(text, scale),
    decimal: () => {
      const shifted = new oracle.Exact(text).times(new oracle.Exact(10).pow(scale));
      return shifted.isInteger() ? unitsOfExact(shifted) : undefined;
    },
  };
}

function readGarbage(draw: Draw): Case {
  const scale = draw.scale();
  const text = draw.garbage(draw.oneOf([scale, draw.scale()]));
  return { operands: [text, scale], actual: parseUnits(text, scale), expected: oracle.parsed(text, scale) };
}

function written(draw: Draw): Case {
  const [a, scale] = [draw.units(), draw.scale()];
  return {
    operands: [a, scale],
    actual: unitsText(a, scale),
    expected: scaledText(BigInt(a), scale),
    decimal: () => exactOf(a).div(new oracle.Exact(10).pow(scale)).toFixed(),
  };
}

function asNumber(draw: Draw): Case {
  const [a, scale] = [draw.units(), draw.scale()];
  return { operands: [a, scale], actual: unitsToNumber(a, scale), expected: oracle.nearestDouble(BigInt(a), scale) };
}

const OPERATIONS: readonly (readonly [name: string, operation: (draw: Draw) => Case])[] = [
  ['add', added],
  ['sub', subtracted],
  ['neg', negated],
  ['abs', magnitude],
  ['compare', compared],
  ['mul', multiplied],
  ['scaleUp', scaledUp],
  ['scaleDown', scaledDown],
  ['divide', divided],
  ['divRem quotient', quotient],
  ['divRem remainder', remainder],
  ['parseUnits', read],
  ['parseUnits of garbage', readGarbage],
  ['unitsText', written],
  ['unitsToNumber', asNumber],
];

/** Each operation in turn with operands by chance. Yields those that came to something else, -0 for 0 included. */
export function* differences(seed: number, operations: number): Generator<Difference> {
  const draw = new Draw(seededRandom(seed));
  for (let index = 0; index < operations; index++) {
    const [operation, run] = OPERATIONS[index % OPERATIONS.length]!;
    const { operands, actual, expected, decimal } = run(draw);
    if (!Object.is(actual, expected)) yield { operation, operands, actual, expected };
    if (decimal === undefined || draw.upTo(DECIMAL_EVERY - 1) > 0) continue;
    const other = decimal();
    // decimal.js has a -0 of its own.
    if (!Object.is(actual, other === 0 ? 0 : other)) {
      yield { operation: `${operation}, decimal.js`, operands, actual, expected: other };
    }
  }
}
