/** The surroundings of the best trial: plateau, range ends, parameter importance. Pure. */
import { compareJudgements } from './judgement.ts';
import type { SearchTrial } from './search.ts';
import type { Space } from './space.ts';

/** Share of trials that count as near. */
const NEAR_SHARE = 0.05;
const NEAR_MIN = 5;
/** Share of best trials examined. */
const TOP_SHARE = 0.05;
const TOP_MIN = 3;
/** Distance to an end, relative to the range. */
const EDGE = 0.05;
const BINS = 8;

export interface Landscape {
  /** Mean rank of the nearest trials, 0 to 1: near 1 a plateau, near 0.5 a lone peak. Null below a dozen trials. */
  readonly plateauScore: number | null;
  /** Parameters whose best values lie at an end of their range. */
  readonly edges: readonly { readonly name: string; readonly end: 'low' | 'high' }[];
  /** Share of the first objective's variance explained alone. */
  readonly importance: readonly { readonly name: string; readonly share: number }[];
}

/** `trials`: those that are done. */
export function landscapeOf(space: Space, trials: readonly SearchTrial[]): Landscape {
  const sorted = trials.toSorted((a, b) => compareJudgements(a.judgement, b.judgement));
  return {
    plateauScore: plateauScore(sorted),
    edges: edgesOf(space, sorted),
    importance: space.dimensions.map(({ name }, at) => ({ name, share: explained(trials, at) })),
  };
}

function plateauScore(sorted: readonly SearchTrial[]): number | null {
  const [best, ...others] = sorted;
  const near = Math.max(NEAR_MIN, Math.ceil(NEAR_SHARE * sorted.length));
  if (best === undefined || sorted.length < 12) return null;
  const ranked = others.map((trial, index) => ({
    rank: 1 - (index + 1) / (sorted.length - 1),
    distance: distance(trial.point, best.point),
  }));
  const nearest = ranked.toSorted((a, b) => a.distance - b.distance).slice(0, near);
  return nearest.reduce((sum, { rank }) => sum + rank, 0) / nearest.length;
}

function distance(left: readonly number[], right: readonly number[]): number {
  return Math.hypot(...left.map((unit, index) => unit - right[index]!));
}

function edgesOf(space: Space, sorted: readonly SearchTrial[]): Landscape['edges'] {
  const top = sorted.slice(0, Math.max(TOP_MIN, Math.ceil(TOP_SHARE * sorted.length)));
  if (top.length < TOP_MIN) return [];
  return space.dimensions.flatMap(({ name, isCategorical, levels }, at): Landscape['edges'] => {
    if (isCategorical || levels === 1) return [];
    const middle = median(top.map(({ point }) => point[at]!));
    const edge = levels === null ? EDGE : Math.max(EDGE, 1 / levels);
    if (middle < edge) return [{ name, end: 'low' }];
    return middle >= 1 - edge ? [{ name, end: 'high' }] : [];
  });
}

/** Variance of the objective's mean over equal parts of one dimension / total variance. */
function explained(trials: readonly SearchTrial[], at: number): number {
  const scored = trials.filter(({ judgement }) => Number.isFinite(judgement.scores[0]));
  const scores = scored.map(({ judgement }) => judgement.scores[0]!);
  const mean = average(scores);
  const total = average(scores.map((score) => (score - mean) ** 2));
  if (scored.length < 2 * BINS || !(total > 0)) return 0;
  const bins = Array.from({ length: BINS }, () => [] as number[]);
  for (const [index, { point }] of scored.entries()) {
    bins[Math.min(BINS - 1, Math.floor(point[at]! * BINS))]!.push(scores[index]!);
  }
  const between = bins.reduce((sum, bin) => sum + (bin.length === 0 ? 0 : bin.length * (average(bin) - mean) ** 2), 0);
  return Math.min(1, between / scored.length / total);
}

function average(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
