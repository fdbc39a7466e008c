/** Denials of a run by reason. An order that its strategy withdrew before it left (`superseded`) is none. */
import type { DeniedEvent } from '../../spine/events.ts';

export interface DenialCount {
  readonly reason: string;
  readonly count: number;
  readonly last: string;
}

export type SavedDenials = ReadonlyMap<string, ReadonlyMap<string, DenialCount>>;

export class DenialCounts {
  readonly #byStrategy = new Map<string, Map<string, DenialCount>>();

  add({ strategy, ref, denied }: DeniedEvent): void {
    const { reason, message } = denied;
    if (reason === 'superseded' && ref !== undefined) return;
    const ofStrategy = this.#byStrategy.get(strategy) ?? new Map<string, DenialCount>();
    this.#byStrategy.set(strategy, ofStrategy);
    ofStrategy.set(reason, { reason, count: (ofStrategy.get(reason)?.count ?? 0) + 1, last: message });
  }

  saved(): SavedDenials {
    return this.#byStrategy;
  }

  load(saved: SavedDenials): void {
    for (const [strategy, counts] of saved) this.#byStrategy.set(strategy, new Map(counts));
  }

  /** Most frequent first. */
  list(strategy?: string): readonly DenialCount[] {
    const sums = new Map<string, DenialCount>();
    for (const [tag, ofStrategy] of this.#byStrategy) {
      if (strategy !== undefined && tag !== strategy) continue;
      for (const { reason, count, last } of ofStrategy.values())
        sums.set(reason, { reason, count: (sums.get(reason)?.count ?? 0) + count, last });
    }
    return [...sums.values()].toSorted((one, other) => other.count - one.count);
  }
}

export function denialText({ reason, count, last }: DenialCount): string {
  return count === 1 ? `denied 1 x ${reason}: ${last}` : `denied ${count} x ${reason}, the last one: ${last}`;
}
