/**
 * Effective number of independent trials: that of worthless ones with the same expected greatest t (docs/metrics.md,
 * "Overfitting"; Gaussian multipliers: Chernozhukov, Chetverikov & Kato 2013).
 */
import type { Random } from '../../model/ports.ts';
import { normal } from '../../model/random.ts';
import { momentsOf } from '../numbers/moments.ts';
import { trialsOfMaximum } from './expected-maximum.ts';

/** Four draws, each with its opposite, so one trial or copies of it average exactly 0. */
const AT_ONCE = 4;
const DRAWS = 4_000;
/** Above this many products fewer draws are made. */
const PRODUCTS_MAX = 300_000_000;
const DRAWS_MIN = 400;

/** `returns`: one row per trial, of equal length. Rows without variance are ignored. */
export function effectiveTrials(returns: readonly Float64Array[], random: Random): number {
  const rows = returns.map(standardised).filter((row) => row !== null);
  if (rows.length < 2) return rows.length;
  return Math.min(rows.length, trialsOfMaximum(meanGreatest(rows, random)));
}

/** (r − mean) / (std·√(T − 1)): mean zero, length one. Null without variance. */
function standardised(row: Float64Array): Float64Array | null {
  const { mean, std } = momentsOf(row);
  if (mean === null || std === null || std === 0) return null;
  const scale = 1 / (std * Math.sqrt(row.length - 1));
  return row.map((value) => (value - mean) * scale);
}

function meanGreatest(rows: readonly Float64Array[], random: Random): number {
  const periods = rows[0]!.length;
  const affordable = Math.max(DRAWS_MIN, Math.min(DRAWS, (2 * PRODUCTS_MAX) / (rows.length * periods)));
  const rounds = Math.ceil(affordable / (2 * AT_ONCE));
  const multipliers = Array.from({ length: AT_ONCE }, () => new Float64Array(periods));
  let sum = 0;
  for (let round = 0; round < rounds; round++) {
    for (const row of multipliers) for (let t = 0; t < periods; t++) row[t] = normal(random);
    sum += greatestSums(rows, multipliers);
  }
  return sum / (rounds * 2 * AT_ONCE);
}

/** Σ of max_k Σ g·z_k and max_k −Σ g·z_k over multipliers g; four at once to read each row once. */
function greatestSums(rows: readonly Float64Array[], [a, b, c, d]: readonly Float64Array[]): number {
  const high = new Float64Array(AT_ONCE).fill(-Infinity);
  const low = new Float64Array(AT_ONCE).fill(Infinity);
  const sums = new Float64Array(AT_ONCE);
  for (const row of rows) {
    let [s0, s1, s2, s3] = [0, 0, 0, 0];
    for (let t = 0; t < row.length; t++) {
      const z = row[t]!;
      s0 += a![t]! * z;
      s1 += b![t]! * z;
      s2 += c![t]! * z;
      s3 += d![t]! * z;
    }
    sums[0] = s0;
    sums[1] = s1;
    sums[2] = s2;
    sums[3] = s3;
    for (let at = 0; at < AT_ONCE; at++) {
      high[at] = Math.max(high[at]!, sums[at]!);
      low[at] = Math.min(low[at]!, sums[at]!);
    }
  }
  return high.reduce((sum, value, at) => sum + value - low[at]!, 0);
}
