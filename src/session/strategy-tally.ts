/**
 * What a session shows of the fills of each strategy: how many, what they cost in fees, the newest. Fed by the recorder,
 * read by the live screen.
 */
import type { Fill } from '../model/fill.ts';

const NEWEST = 3;

export interface Tally {
  readonly fills: number;
  /** Reporting currency, at the price when they were paid. */
  readonly fees: number;
  /** Newest last. */
  readonly newest: readonly Fill[];
}

const NONE: Tally = Object.freeze({ fills: 0, fees: 0, newest: Object.freeze([]) });

export class StrategyTally {
  readonly #byTag = new Map<string, Tally>();

  add(tag: string, fill: Fill, fee: number): void {
    const { fills, fees, newest } = this.of(tag);
    this.#byTag.set(tag, { fills: fills + 1, fees: fees + fee, newest: [...newest, fill].slice(-NEWEST) });
  }

  of(tag: string): Tally {
    return this.#byTag.get(tag) ?? NONE;
  }
}
