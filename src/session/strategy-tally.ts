/** Fills and fees per strategy, for the live screen. */
import type { Fill } from '../model/fill.ts';

const NEWEST = 3;

export interface Tally {
  readonly fills: number;
  /** Reporting currency, at the price then. */
  readonly fees: number;
  /** Newest last. */
  readonly newest: readonly Fill[];
}

export type SavedTally = ReadonlyMap<string, Tally>;

interface Running {
  fills: number;
  fees: number;
  readonly newest: Fill[];
}

const NONE: Tally = Object.freeze({ fills: 0, fees: 0, newest: Object.freeze([]) });

export class StrategyTally {
  readonly #byTag = new Map<string, Running>();

  add(tag: string, fill: Fill, fee: number): void {
    let running = this.#byTag.get(tag);
    if (running === undefined) {
      running = { fills: 0, fees: 0, newest: [] };
      this.#byTag.set(tag, running);
    }
    running.fills += 1;
    running.fees += fee;
    if (running.newest.push(fill) > NEWEST) running.newest.shift();
  }

  saved(): SavedTally {
    return this.#byTag;
  }

  load(saved: SavedTally): void {
    for (const [tag, tally] of saved) this.#byTag.set(tag, { ...tally, newest: [...tally.newest] });
  }

  of(tag: string): Tally {
    const running = this.#byTag.get(tag);
    return running === undefined ? NONE : { ...running, newest: [...running.newest] };
  }
}
