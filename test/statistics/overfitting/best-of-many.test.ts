import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { bestOfMany } from '../../../src/statistics/overfitting/best-of-many.ts';
import { blockDraws, meanBlock, shortBlock } from '../../../src/statistics/overfitting/stationary-bootstrap.ts';

function noise(seed: number, count: number, periods: number, drift = 0): Float64Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Float64Array.from({ length: periods }, () => drift + normal(random)));
}

const mean = (row: readonly number[]): number => row.reduce((sum, value) => sum + value, 0) / row.length;
const deviation = (row: readonly number[]): number =>
  Math.sqrt(row.reduce((sum, value) => sum + (value - mean(row)) ** 2, 0) / (row.length - 1));

/** The periods of each draw, one by one. */
function drawn(periods: number, draws: number, block: number, name: string, seed: number): number[][] {
  const { from, to, ends } = blockDraws(periods, draws, block, seededRandom(seed).fork(name));
  let at = 0;
  return Array.from(ends, (end) => {
    const chosen: number[] = [];
    for (; at < end; at++) for (let t = from[at]!; t < to[at]!; t++) chosen.push(t % periods);
    return chosen;
  });
}

/** Both p-values of the definition, return by return. */
function slow(rows: readonly Float64Array[], draws: number, seed: number): readonly [number, number, number] {
  const periods = rows[0]!.length;
  const root = Math.sqrt(periods);
  const plain = rows.map((row) => Array.from(row));
  const ts = plain.map((row) => (root * mean(row)) / deviation(row));
  const greatest = drawn(periods, draws, shortBlock(periods), 'max t', seed).map((chosen) =>
    Math.max(
      ...plain.map((row) => {
        const picked = chosen.map((t) => row[t]!);
        return (root * (mean(picked) - mean(row))) / deviation(picked);
      }),
    ),
  );
  const means = drawn(periods, 1000, meanBlock(periods), 'means', seed).map((chosen) =>
    Math.max(...plain.map((row) => root * (mean(chosen.map((t) => row[t]!)) - mean(row)))),
  );
  const share = (values: readonly number[], bound: number): number =>
    (1 + values.filter((value) => value >= bound).length) / (values.length + 1);
  const greatestMean = Math.max(...plain.map((row) => root * mean(row)));
  return [share(greatest, Math.max(...ts)), share(greatest, ts[0]!), share(means, greatestMean)];
}

describe('the best of many trials', () => {
  it('is what the definition says, return by return', () => {
    for (const seed of [1, 2, 3]) {
      const rows = noise(seed, 5, 61, 0.1).map((row, trial) =>
        row.map((value, t) => value + (t % 7 === 0 ? -trial : 0)),
      );
      const { maxTPValue, pValue, realityCheckPValue } = bestOfMany(rows, seededRandom(seed), { draws: 400 });
      expect([maxTPValue, pValue, realityCheckPValue]).toEqual(slow(rows, 400, seed));
    }
  });

  // A test for superior predictive ability that was not studentised in each draw rejected 0.6 of these at 0.1.
  it.each([
    ['independent returns', 0],
    ['returns that follow one another', 0.3],
  ])('rejects a hundred worthless trials of eighty %s no more often than its level', (_name, follow) => {
    const rounds = 120;
    let rejected = 0;
    for (let seed = 1; seed <= rounds; seed++) {
      const rows = noise(seed, 100, 80).map((row) => row.map((value, t) => value + follow * (row[t - 1] ?? 0)));
      if (bestOfMany(rows, seededRandom(10_000 + seed), { draws: 250 }).maxTPValue <= 0.1) rejected++;
    }
    expect(rejected).toBeGreaterThan(0);
    // Twelve are expected, 22 are three deviations above.
    expect(rejected).toBeLessThan(22);
  });

  it('keeps its level where returns have rare great losses', () => {
    let rejected = 0;
    for (let seed = 1; seed <= 120; seed++) {
      const random = seededRandom(seed);
      const row = (): Float64Array =>
        Float64Array.from({ length: 400 }, () => normal(random) + (random.next() < 0.03 ? -6 : 0.1856));
      if (bestOfMany([row(), row(), row(), row()], seededRandom(500 + seed), { draws: 400 }).maxTPValue <= 0.05)
        rejected++;
    }
    // Six are expected, fourteen are more than three deviations above.
    expect(rejected).toBeLessThan(14);
  });

  it('sees one trial that earns among many that do not, and is not blinded by wild losers', () => {
    const wild = noise(4, 40, 300, -3).map((row) => row.map((value) => value * 20));
    const { maxTPValue, realityCheckPValue, t, maxT } = bestOfMany(
      [...noise(5, 1, 300, 0.3), ...wild],
      seededRandom(1),
    );
    expect(maxTPValue).toBeLessThan(0.001);
    expect(t).toBe(maxT);
    expect(realityCheckPValue).toBeGreaterThan(0.3);
  });

  it('judges the first trial by its own t: another that is better does not speak for it', () => {
    const [worthless, edge] = [noise(6, 1, 300)[0]!, noise(7, 1, 300, 0.5)[0]!];
    const { maxTPValue, pValue } = bestOfMany([worthless, edge], seededRandom(1));
    expect(maxTPValue).toBeLessThan(0.001);
    expect(pValue).toBeGreaterThan(0.05);
  });

  it('counts neither copies nor trials that never move', () => {
    const rows = noise(8, 4, 200, 0.1);
    const padded = [...rows, ...rows, rows[0]!.map((value) => 3 * value), new Float64Array(200)];
    const [alone, more] = [rows, padded].map((given) => bestOfMany(given, seededRandom(2)));
    expect(more!.maxTPValue).toBeCloseTo(alone!.maxTPValue, 3);
    expect(more!.trials).toBe(9);
  });

  it('takes tries that cannot be compared for independent ones', () => {
    const edge = noise(9, 1, 400, 0.14)[0]!;
    const alone = bestOfMany([edge], seededRandom(1)).maxTPValue;
    const among = bestOfMany([edge, ...noise(10, 40, 400)], seededRandom(1)).maxTPValue;
    const elsewhere = bestOfMany([edge], seededRandom(1), { elsewhere: 40 }).maxTPValue;
    expect(elsewhere).toBeGreaterThan(10 * alone);
    expect(Math.abs(elsewhere - among)).toBeLessThan(0.03);
  });

  it('has no word on a trial that never moves, nor on rows of different length', () => {
    expect(() => bestOfMany([new Float64Array(50), ...noise(1, 1, 50)], seededRandom(1))).toThrow(/never differ/);
    expect(() => bestOfMany([...noise(1, 1, 50), ...noise(1, 1, 51)], seededRandom(1))).toThrow(/length/);
  });
});
