/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (docs/metrics.md, "Overfitting";
 * Bailey, Borwein, López de Prado & Zhu 2015). Sums per block make each split O(K).
 */
import { statisticsErrors } from '../errors.ts';

const BLOCKS = 16;

export interface OverfittingReport {
  /** Share of splits whose best in-sample trial ranks at or below the median out of sample. */
  readonly pbo: number;
  /** ln(ω/(1 − ω)) per split, ω the relative rank out of sample; ≤ 0 is overfit. */
  readonly logits: Float64Array;
  /** Per split: Sharpe ratio per period of the chosen trial, in and out of sample. */
  readonly inSample: Float64Array;
  readonly outOfSample: Float64Array;
  /** Share of splits whose chosen trial loses out of sample. */
  readonly lossShare: number;
  readonly splits: number;
  readonly blocks: number;
}

interface BlockSums {
  readonly counts: Float64Array;
  /** [trial × blocks + block] */
  readonly sums: Float64Array;
  readonly squares: Float64Array;
}

/**
 * `returns`: one row per trial, two or more, of equal length, at least two periods a block.
 * @throws `statistics_input` for fewer.
 */
export function backtestOverfitting(returns: readonly Float64Array[], blocks = BLOCKS): OverfittingReport {
  const periods = returns[0]?.length ?? 0;
  if (returns.length < 2) throw statisticsErrors.make('statistics_input', 'overfitting needs two trials or more');
  if (blocks < 2 || blocks % 2 !== 0) {
    throw statisticsErrors.make('statistics_input', `${blocks} blocks: an even number of 2 or more is needed`);
  }
  if (periods < 2 * blocks || returns.some((row) => row.length !== periods)) {
    throw statisticsErrors.make(
      'statistics_input',
      `${periods} periods are too few for ${blocks} blocks, or rows differ`,
    );
  }
  const table = blockSums(returns, blocks);
  const total = binomial(blocks, blocks / 2);
  const logits = new Float64Array(total);
  const inSample = new Float64Array(total);
  const outOfSample = new Float64Array(total);
  const inside = new Float64Array(returns.length);
  const outside = new Float64Array(returns.length);
  let split = 0;
  for (const mask of halves(blocks)) {
    sharpes(table, blocks, (block) => (mask & (1 << block)) !== 0, inside);
    sharpes(table, blocks, (block) => (mask & (1 << block)) === 0, outside);
    const best = indexOfGreatest(inside);
    const omega = rankOf(outside, best) / (returns.length + 1);
    logits[split] = Math.log(omega / (1 - omega));
    inSample[split] = inside[best]!;
    outOfSample[split] = outside[best]!;
    split++;
  }
  const share = (values: Float64Array, isMeant: (value: number) => boolean): number =>
    values.reduce((count, value) => count + (isMeant(value) ? 1 : 0), 0) / total;
  return {
    pbo: share(logits, (logit) => logit <= 0),
    logits,
    inSample,
    outOfSample,
    lossShare: share(outOfSample, (sharpe) => sharpe < 0),
    splits: total,
    blocks,
  };
}

function blockSums(returns: readonly Float64Array[], blocks: number): BlockSums {
  const periods = returns[0]!.length;
  const edges = Array.from({ length: blocks + 1 }, (_, block) => Math.floor((block * periods) / blocks));
  const counts = Float64Array.from({ length: blocks }, (_, block) => edges[block + 1]! - edges[block]!);
  const sums = new Float64Array(returns.length * blocks);
  const squares = new Float64Array(returns.length * blocks);
  for (const [trial, row] of returns.entries()) {
    // Centred, so that squares keep the variance of a row that hardly moves.
    const mean = row.reduce((sum, value) => sum + value, 0) / periods;
    for (let block = 0; block < blocks; block++) {
      for (let at = edges[block]!; at < edges[block + 1]!; at++) {
        sums[trial * blocks + block]! += row[at]!;
        squares[trial * blocks + block]! += (row[at]! - mean) ** 2;
      }
    }
  }
  return { counts, sums, squares };
}

/** Sharpe ratio per period over the chosen blocks; 0 without variance. */
function sharpes(table: BlockSums, blocks: number, isChosen: (block: number) => boolean, into: Float64Array): void {
  const chosen: number[] = [];
  let count = 0;
  let all = 0;
  for (let block = 0; block < blocks; block++) {
    all += table.counts[block]!;
    if (!isChosen(block)) continue;
    chosen.push(block);
    count += table.counts[block]!;
  }
  for (let trial = 0; trial < into.length; trial++) {
    let sum = 0;
    let squares = 0;
    let whole = 0;
    for (let block = 0; block < blocks; block++) whole += table.sums[trial * blocks + block]!;
    for (const block of chosen) {
      sum += table.sums[trial * blocks + block]!;
      squares += table.squares[trial * blocks + block]!;
    }
    const mean = sum / count;
    const variance = (squares - count * (mean - whole / all) ** 2) / (count - 1);
    into[trial] = variance > 0 ? mean / Math.sqrt(variance) : 0;
  }
}

function indexOfGreatest(values: Float64Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index++) if (values[index]! > values[best]!) best = index;
  return best;
}

/** Rank from 1 (worst); ties share the mean rank. */
function rankOf(values: Float64Array, at: number): number {
  let below = 0;
  let equal = 0;
  for (const value of values) {
    if (value < values[at]!) below++;
    else if (value === values[at]) equal++;
  }
  return below + (equal + 1) / 2;
}

/** Bit masks with half of the blocks set, rising (Gosper's hack). */
function* halves(blocks: number): Generator<number> {
  let mask = (1 << (blocks / 2)) - 1;
  const end = 1 << blocks;
  while (mask < end) {
    yield mask;
    const lowest = mask & -mask;
    const ripple = mask + lowest;
    mask = ripple | (((mask ^ ripple) >>> 2) / lowest);
  }
}

function binomial(n: number, k: number): number {
  let value = 1;
  for (let index = 1; index <= k; index++) value = (value * (n - k + index)) / index;
  return Math.round(value);
}
