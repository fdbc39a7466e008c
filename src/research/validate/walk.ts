/** The walk-forward of a validation, in periods of its return grid. */
import { sessionErrors } from '../../session/errors.ts';
import { misfitOf, type WalkForwardOptions } from '../../statistics/overfitting/walk-forward.ts';
import { gridStep } from '../../statistics/period-grid.ts';
import { gridTimes } from '../../statistics/returns.ts';
import type { ValidateOptions } from './options.ts';
import type { Period } from './result.ts';

export const FOLDS = 4;

type Walk = ValidateOptions['walk'];

export function walkIn({ mode, folds, purgeMs, embargoMs }: Walk, sampleMs: number): WalkForwardOptions {
  return { mode, folds, purge: Math.ceil(purgeMs / sampleMs), embargo: Math.ceil(embargoMs / sampleMs) };
}

/** @throws `bad_option` when the data are too short for these options, and not for the default ones */
export function requireWalk({ from, to }: Period, walk: Walk): void {
  const sampleMs = gridStep(from, to);
  const periods = gridTimes(from, to, sampleMs).length - 1;
  const misfit = misfitOf(periods, walkIn(walk, sampleMs));
  if (misfit === null || misfitOf(periods, { mode: walk.mode, folds: FOLDS, purge: 0, embargo: 0 }) !== null) return;
  const message = `--folds, --purge and --embargo do not fit the data before the lockbox: ${misfit} (of ${sampleMs / 1000} s)`;
  throw sessionErrors.make('bad_option', message, { periods, sampleMs });
}
