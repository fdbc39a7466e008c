/** The end of a trial. */
import type { Trial, Trials } from '../../spine/trials.ts';
import { riskErrors } from '../errors.ts';

/** Throws `not_on_trial`, `trial_not_over`. */
export function requireOver(trials: Trials, strategy: string, now: number): Trial {
  const trial = trials.open().find((open) => open.strategy === strategy);
  if (trial === undefined)
    throw riskErrors.make('not_on_trial', `${strategy} is not on trial here: its limits stand as configured`, {
      strategy,
    });
  const { since, fills, minFills, minMs } = trial;
  const ranMs = now - since;
  if (ranMs < minMs || fills < minFills) {
    const minutes = (ms: number): string => (ms / 60_000).toFixed(1);
    const message = `${strategy} has ${fills} fills of ${minFills} and ${minutes(ranMs)} minutes of ${minutes(minMs)}`;
    throw riskErrors.make('trial_not_over', message, { strategy, fills, minFills, ranMs, minMs });
  }
  return trial;
}

export function trialText({ strategy, version, since, fills, share }: Trial): string {
  const percent = +(share * 100).toPrecision(4);
  return `${strategy} is on trial with ${percent} % of its limits (version ${version}, ${fills} fills since ${new Date(since).toISOString()})`;
}
