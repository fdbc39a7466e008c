import { describe, expect, it } from 'vitest';
import { normal, seededRandom } from '../../../src/model/random.ts';
import { backtestOverfitting } from '../../../src/statistics/overfitting/backtest-overfitting.ts';

function trials(seed: number, count: number, periods: number, drift: (trial: number) => number): Float64Array[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, trial) =>
    Float64Array.from({ length: periods }, () => drift(trial) + normal(random)),
  );
}

/** The definition, word for word and slow: Sharpe ratios of the joined halves, ranks by sorting. */
function slowPbo(returns: readonly Float64Array[], blocks: number): number {
  const periods = returns[0]!.length;
  const edge = (block: number): number => Math.floor((block * periods) / blocks);
  const sharpe = (values: readonly number[]): number => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    return variance > 0 ? mean / Math.sqrt(variance) : 0;
  };
  let overfit = 0;
  let splits = 0;
  for (let mask = 0; mask < 1 << blocks; mask++) {
    const chosen = Array.from({ length: blocks }, (_, block) => ((mask >> block) & 1) === 1);
    if (chosen.filter(Boolean).length !== blocks / 2) continue;
    splits++;
    const part = (row: Float64Array, inside: boolean): number[] =>
      [...row].filter((_, t) =>
        chosen.some((isIn, block) => isIn === inside && t >= edge(block) && t < edge(block + 1)),
      );
    const inside = returns.map((row) => sharpe(part(row, true)));
    const outside = returns.map((row) => sharpe(part(row, false)));
    const best = inside.indexOf(Math.max(...inside));
    const rank = outside.filter((value) => value <= outside[best]!).length;
    const omega = rank / (returns.length + 1);
    if (Math.log(omega / (1 - omega)) <= 0) overfit++;
  }
  return overfit / splits;
}

describe('the probability of backtest overfitting', () => {
  it('is what the definition says, split by split', () => {
    for (const seed of [1, 2, 3]) {
      const rows = trials(seed, 7, 61, (trial) => trial / 40);
      expect(backtestOverfitting(rows, 8).pbo).toBe(slowPbo(rows, 8));
    }
  });

  it('takes 12,870 splits of 16 blocks', () => {
    const report = backtestOverfitting(trials(1, 3, 64, () => 0));
    expect(report.splits).toBe(12_870);
    expect(report.logits).toHaveLength(12_870);
    expect(report.logits.every((logit) => Number.isFinite(logit))).toBe(true);
  });

  it('is near one half for noise, averaged over many sets', () => {
    let sum = 0;
    for (let seed = 1; seed <= 40; seed++)
      sum += backtestOverfitting(
        trials(seed, 20, 200, () => 0),
        8,
      ).pbo;
    expect(sum / 40).toBeGreaterThan(0.4);
    expect(sum / 40).toBeLessThan(0.65);
  });

  it('is near zero where one trial is really better', () => {
    const report = backtestOverfitting(
      trials(5, 20, 800, (trial) => (trial === 4 ? 0.5 : 0)),
      8,
    );
    expect(report.pbo).toBe(0);
    expect(report.lossShare).toBe(0);
  });

  it('is one where what wins in one half must lose in the other', () => {
    const market = trials(9, 1, 160, () => 0)[0]!;
    // Each trial earns in one block alone what it pays back in the others.
    const rows = Array.from({ length: 8 }, (_, own) =>
      market.map((_value, t) => (Math.floor(t / 20) === own ? 1 : -0.3) + (t % 2) / 100),
    );
    expect(backtestOverfitting(rows, 8).pbo).toBe(1);
  });

  it('refuses one trial, an odd number of blocks and too few periods', () => {
    const rows = trials(1, 2, 16, () => 0);
    expect(() => backtestOverfitting(rows.slice(1))).toThrow(/two trials/);
    expect(() => backtestOverfitting(rows, 7)).toThrow(/even/);
    expect(() => backtestOverfitting(rows, 16)).toThrow(/too few/);
  });
});
