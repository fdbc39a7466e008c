/**
 * Walk-forward over returns of trials: the best trial of each training part is evaluated on its test part.
 *
 *   rolling    [train][test]            anchored  [train ][test]          purged  [train][test][train]
 *                [train][test]                    [train      ][test]            in turn, the rest is for training
 *
 * `purge` periods before and `embargo` after a test part are left out of training (López de Prado 2018, chapter 7).
 */
import { statisticsErrors } from '../errors.ts';
import { periodSharpe } from '../ratios.ts';

export type WalkForwardMode = 'rolling' | 'anchored' | 'purged';

/** Length of a rolling training part, in test parts. */
const ROLLING_PARTS = 2;
const PART_PERIODS_MIN = 4;

export interface WalkForwardOptions {
  readonly mode: WalkForwardMode;
  readonly folds: number;
  /** In periods. */
  readonly purge: number;
  readonly embargo: number;
}

export interface Fold {
  /** Periods [from, to). */
  readonly test: readonly [from: number, to: number];
  readonly train: readonly (readonly [from: number, to: number])[];
  /** Row of the chosen trial. */
  readonly chosen: number;
  /** Of the chosen trial, per period. */
  readonly trainSharpe: number;
  readonly testSharpe: number;
  readonly trainMean: number;
  readonly testMean: number;
  /** Growth of 1 over the test part. */
  readonly testGrowth: number;
}

export interface WalkForward {
  readonly folds: readonly Fold[];
  /** Mean test return / mean training return; null without a training gain. */
  readonly efficiency: number | null;
  /** Share of test parts that gained. */
  readonly gainedShare: number;
  /** All test parts joined. */
  readonly testSharpe: number | null;
  readonly testGrowth: number;
}

/** @throws `statistics_input` when the folds would be shorter than four periods. */
export function walkForward(returns: readonly Float64Array[], options: WalkForwardOptions): WalkForward {
  const periods = returns[0]?.length ?? 0;
  const folds = bordersOf(periods, options).map(({ test, train }) => foldOf(returns, test, train));
  const joined = Float64Array.from(
    folds.flatMap(({ test: [from, to], chosen }) => Array.from(returns[chosen]!.subarray(from, to))),
  );
  const mean = (pick: (fold: Fold) => number): number =>
    folds.reduce((sum, fold) => sum + pick(fold), 0) / folds.length;
  const trained = mean(({ trainMean }) => trainMean);
  return {
    folds,
    efficiency: trained > 0 ? mean(({ testMean }) => testMean) / trained : null,
    gainedShare: mean(({ testGrowth }) => (testGrowth > 1 ? 1 : 0)),
    testSharpe: periodSharpe(joined, 0),
    testGrowth: folds.reduce((product, { testGrowth }) => product * testGrowth, 1),
  };
}

type Span = readonly [from: number, to: number];

function partsOf({ mode, folds }: WalkForwardOptions): number {
  return mode === 'purged' ? folds : folds + ROLLING_PARTS;
}

/** Why so many periods do not make these folds, or null. */
export function misfitOf(periods: number, options: WalkForwardOptions): string | null {
  const { folds, purge, embargo } = options;
  const length = Math.floor(periods / partsOf(options));
  if (folds < 1 || length < PART_PERIODS_MIN) return `${periods} periods are too few for ${folds} folds`;
  if (length > purge + embargo) return null;
  return `a part of ${length} periods is too few for a purge of ${purge} and an embargo of ${embargo}`;
}

function bordersOf(
  periods: number,
  options: WalkForwardOptions,
): readonly { readonly test: Span; readonly train: readonly Span[] }[] {
  const misfit = misfitOf(periods, options);
  if (misfit !== null) throw statisticsErrors.make('statistics_input', misfit);
  const { mode, folds, purge, embargo } = options;
  const parts = partsOf(options);
  const length = Math.floor(periods / parts);
  const edge = (part: number): number => (part === parts ? periods : part * length);
  return Array.from({ length: folds }, (_, fold) => {
    const part = mode === 'purged' ? fold : fold + ROLLING_PARTS;
    const test: Span = [edge(part), edge(part + 1)];
    const before: Span = [mode === 'rolling' ? edge(part - ROLLING_PARTS) : 0, test[0] - purge];
    const after: Span = [test[1] + embargo, periods];
    const train = mode === 'purged' ? [before, after] : [before];
    return { test, train: train.filter(([from, to]) => to > from) };
  });
}

function foldOf(returns: readonly Float64Array[], test: Span, train: readonly Span[]): Fold {
  const trained = returns.map((row) => periodSharpe(joinedOf(row, train), 0) ?? 0);
  const chosen = trained.reduce((best, sharpe, index) => (sharpe > trained[best]! ? index : best), 0);
  const row = returns[chosen]!;
  const tested = row.slice(test[0], test[1]);
  return {
    test,
    train,
    chosen,
    trainSharpe: trained[chosen]!,
    testSharpe: periodSharpe(tested, 0) ?? 0,
    trainMean: meanOf(joinedOf(row, train)),
    testMean: meanOf(tested),
    testGrowth: tested.reduce((level, value) => level * (1 + value), 1),
  };
}

function joinedOf(row: Float64Array, spans: readonly Span[]): Float64Array {
  return Float64Array.from(spans.flatMap(([from, to]) => Array.from(row.subarray(from, to))));
}

function meanOf(values: Float64Array): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
