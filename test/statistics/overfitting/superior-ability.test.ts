import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { blockPermutation } from '../../../src/statistics/overfitting/permutation.ts';
import { bootstrapBands } from '../../../src/statistics/overfitting/bootstrap-bands.ts';
import { resample } from '../../../src/statistics/overfitting/stationary-bootstrap.ts';
import { superiorAbility } from '../../../src/statistics/overfitting/superior-ability.ts';

function noise(seed: number, count: number, periods: number, drift = 0): Float64Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => Float64Array.from({ length: periods }, () => drift + normal(random)));
}

describe('the stationary bootstrap', () => {
  it('draws every period equally often, in blocks of the asked mean length', () => {
    const random = seededRandom(3);
    const chosen = new Uint32Array(50);
    const counts = new Float64Array(50);
    let follows = 0;
    for (let round = 0; round < 4000; round++) {
      resample(chosen, random, 10);
      for (const [index, at] of chosen.entries()) {
        counts[at]!++;
        if (index > 0 && at === (chosen[index - 1]! + 1) % 50) follows++;
      }
    }
    for (const count of counts) expect(Math.abs(count - 4000)).toBeLessThan(800);
    // A period follows its neighbour but for one restart in ten, of which one in fifty goes on all the same.
    expect(follows / (4000 * 49)).toBeCloseTo(0.9 + 0.1 / 50, 2);
  });
});

describe('superior predictive ability', () => {
  it('rejects the null no more often than its level where nothing is there', () => {
    let rejected = 0;
    let rejectedByWhite = 0;
    for (let seed = 1; seed <= 60; seed++) {
      const report = superiorAbility(noise(seed, 10, 1600), seededRandom(seed), { resamples: 100 });
      if (report.spaPValue < 0.1) rejected++;
      if (report.realityCheckPValue < 0.1) rejectedByWhite++;
    }
    expect(rejected).toBeLessThan(14);
    expect(rejected).toBeGreaterThan(0);
    expect(rejectedByWhite).toBeLessThan(14);
  });

  it('sees one trial that earns among many that do not', () => {
    const rows = [...noise(1, 30, 400), ...noise(2, 1, 400, 0.3)];
    const report = superiorAbility(rows, seededRandom(1));
    expect(report.best).toBe(30);
    expect(report.spaPValue).toBeLessThan(0.01);
    expect(report.spaLower).toBeLessThanOrEqual(report.spaPValue);
    expect(report.spaPValue).toBeLessThanOrEqual(report.spaUpper);
  });

  it('is not blinded by hopeless trials, as the reality check is', () => {
    const wild = noise(4, 40, 300, -3).map((row) => row.map((value) => value * 20));
    const report = superiorAbility([...wild, ...noise(5, 1, 300, 0.2)], seededRandom(1));
    expect(report.spaPValue).toBeLessThan(0.05);
    expect(report.realityCheckPValue).toBeGreaterThan(report.spaPValue);
  });

  it('is certain of nothing when every trial loses', () => {
    expect(superiorAbility(noise(6, 5, 200, -1), seededRandom(1)).spaPValue).toBe(1);
  });

  it('measures against a benchmark', () => {
    const benchmark = noise(8, 1, 300)[0]!;
    const same = superiorAbility([benchmark.slice()], seededRandom(1), { benchmark });
    expect(same.spaPValue).toBe(1);
    const above = superiorAbility([benchmark.slice(), benchmark.map((r) => r + 0.01)], seededRandom(1), { benchmark });
    expect(above.best).toBe(1);
    expect(above.spaPValue).toBe(0);
  });
});

describe('bootstrap bands', () => {
  it('lie around what was seen, and say how often it would have lost', () => {
    const returns = noise(11, 1, 400)[0]!.map((value) => 0.001 + 0.01 * value);
    const growth = returns.reduce((level, value) => level * (1 + value), 1);
    const bands = bootstrapBands(returns, seededRandom(1));
    expect(bands.growth[0]).toBeLessThan(growth);
    expect(bands.growth[4]).toBeGreaterThan(growth);
    expect(bands.growth.toSorted((a, b) => a - b)).toEqual([...bands.growth]);
    expect(bands.lossShare).toBeGreaterThan(0);
    expect(bands.lossShare).toBeLessThan(0.5);
    expect(bands.fan.at(-1)).toEqual({ period: 400, band: bands.growth });
    expect(bands.fan).toHaveLength(200);
    expect(bands.maxDrawdownPct[0]).toBeGreaterThan(0);
  });

  it('of returns that never change are a line', () => {
    const bands = bootstrapBands(new Float64Array(10).fill(0.01), seededRandom(1));
    for (const level of bands.growth) expect(level).toBeCloseTo(1.01 ** 10, 12);
    expect(bands.maxDrawdownPct).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('the block permutation', () => {
  it('finds positions that know the market, and not those that do not', () => {
    const market = noise(21, 1, 900)[0]!;
    const knowing = market.map((value, t) => Math.sign(value) * ((t % 3) + 1) * 0.2 + 0.5);
    expect(blockPermutation(knowing, market, seededRandom(1)).pValue).toBeLessThan(0.01);
    let small = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const positions = noise(1000 + seed, 1, 400)[0]!;
      const paths = noise(2000 + seed, 1, 400)[0]!;
      if (blockPermutation(positions, paths, seededRandom(seed), 200).pValue <= 0.1) small++;
    }
    expect(small).toBeLessThan(22);
    expect(small).toBeGreaterThan(2);
  });

  it('of a position that never changes says nothing', () => {
    const market = noise(22, 1, 100)[0]!;
    expect(blockPermutation(new Float64Array(100).fill(2), market, seededRandom(1), 50).pValue).toBeGreaterThan(0.1);
  });
});
