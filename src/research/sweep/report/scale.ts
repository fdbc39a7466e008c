/** Colours and positions of trials by goodness, 0 to 1. Pure. */
import type { SweepResult, SweepTrial } from '../result.ts';

/** Readable in grey and with colour blindness (after viridis). */
const STOPS = ['#440154', '#3b528b', '#21918c', '#5ec962', '#fde725'] as const;

export function colourOf(share: number): string {
  const position = Math.min(1, Math.max(0, share)) * (STOPS.length - 1);
  const low = Math.min(STOPS.length - 2, Math.floor(position));
  const mix = (at: number): string => {
    const channel = (stop: string): number => Number.parseInt(stop.slice(at, at + 2), 16);
    const value = channel(STOPS[low]!) + (position - low) * (channel(STOPS[low + 1]!) - channel(STOPS[low]!));
    return Math.round(value).toString(16).padStart(2, '0');
  };
  return `#${mix(1)}${mix(3)}${mix(5)}`;
}

/** Trials with a first objective and their rank, 1 is best; infeasible ones come last. */
export interface Scored {
  readonly trial: SweepTrial;
  readonly value: number;
  readonly share: number;
}

export function scoredTrials({ space, trials }: SweepResult): readonly Scored[] {
  const [objective] = space.objectives;
  if (objective === undefined) return [];
  const { metric, direction } = objective;
  const sign = direction === 'maximize' ? 1 : -1;
  const valued = trials.flatMap((trial) => {
    const value = trial.state === 'done' ? (trial.metrics[metric] ?? null) : null;
    return value === null ? [] : [{ trial, value }];
  });
  const scores = (isFeasible: boolean): readonly number[] =>
    valued
      .filter(({ trial }) => trial.feasible === isFeasible)
      .map(({ value }) => sign * value)
      .toSorted((a, b) => a - b);
  const ordered = { feasible: scores(true), infeasible: scores(false) };
  return valued.map(({ trial, value }) => {
    const isSame = (other: number): boolean => other >= sign * value;
    const rank = trial.feasible
      ? ordered.infeasible.length + ordered.feasible.findIndex(isSame)
      : ordered.infeasible.findIndex(isSame);
    return { trial, value, share: valued.length > 1 ? rank / (valued.length - 1) : 1 };
  });
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
