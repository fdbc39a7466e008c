import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { bootstrapBands } from '../../../src/statistics/overfitting/bootstrap-bands.ts';
import { blockDraws, resample } from '../../../src/statistics/overfitting/stationary-bootstrap.ts';

function noise(seed: number, periods: number): Float64Array {
  const random = seededRandom(seed);
  return Float64Array.from({ length: periods }, () => normal(random));
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

  it('as blocks is the same in law: every period equally often, blocks of the asked mean length, a whole series a draw', () => {
    const [periods, draws, block] = [40, 6000, 5];
    const { from, to, ends } = blockDraws(periods, draws, block, seededRandom(4));
    const counts = new Float64Array(periods);
    let at = 0;
    for (const end of ends) {
      let length = 0;
      for (; at < end; at++) {
        expect(to[at]! - from[at]!).toBeGreaterThan(0);
        for (let t = from[at]!; t < to[at]!; t++) counts[t % periods]!++;
        length += to[at]! - from[at]!;
      }
      expect(length).toBe(periods);
    }
    for (const count of counts) expect(Math.abs(count - draws)).toBeLessThan(600);
    // A restart at each period but the first with a chance of one in five.
    expect(ends.at(-1)! / draws).toBeCloseTo(1 + 39 / 5, 0);
  });
});

describe('bootstrap bands', () => {
  it('lie around what was seen, and say how often it would have lost', () => {
    const returns = noise(11, 400).map((value) => 0.001 + 0.01 * value);
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
