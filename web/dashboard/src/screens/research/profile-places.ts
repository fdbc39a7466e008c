/** The trials of a search over one parameter as points. */
import type { Trial } from './documents.ts';

export interface Place {
  readonly number: number;
  /** In the range of the parameter, 0 to 1. */
  readonly at: number;
  readonly value: number;
  /** Of the parameter. */
  readonly text: string;
  readonly isFeasible: boolean;
}

/** By the parameter, upwards; without trials that have no value. */
export function placesOf(trials: readonly Trial[], metric: string): readonly Place[] {
  return trials
    .flatMap(({ number, point, metrics, params, feasible: isFeasible }): readonly Place[] => {
      const [at, value] = [point[0], metrics[metric]];
      if (at === undefined || typeof value !== 'number') return [];
      return [{ number, at, value, text: String(Object.values(params)[0]), isFeasible }];
    })
    .toSorted((a, b) => a.at - b.at);
}

/** One point a value: the mean of its trials. */
export function meansOf(places: readonly Place[]): readonly { readonly at: number; readonly value: number }[] {
  return [...Map.groupBy(places, ({ text }) => text).values()].map((same) => ({
    at: same.reduce((sum, { at }) => sum + at, 0) / same.length,
    value: same.reduce((sum, { value }) => sum + value, 0) / same.length,
  }));
}
