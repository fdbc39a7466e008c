/** Fills and fees per strategy, for the live screen. */
import { isFeeCorrection } from '../../model/trading/fee-correction.ts';
import type { Fill } from '../../model/trading/fill.ts';
import type { PaidFee } from './fill-rates.ts';

const NEWEST = 3;

export interface Tally {
  readonly fills: number;
  /** Reporting currency, at the rates then. */
  readonly fees: number;
  /** Newest last. */
  readonly newest: readonly Fill[];
}

interface Running {
  fills: number;
  fees: number;
  /** By currency, of fees that had no rate. */
  readonly unrated: Map<string, number>;
  readonly newest: Fill[];
}

export type SavedTally = ReadonlyMap<string, Running>;

const NONE: Tally = Object.freeze({ fills: 0, fees: 0, newest: Object.freeze([]) });

export class StrategyTally {
  readonly #byTag = new Map<string, Running>();

  add(tag: string, fill: Fill, { currency, amount, rate }: PaidFee): void {
    let running = this.#byTag.get(tag);
    if (running === undefined) {
      running = { fills: 0, fees: 0, unrated: new Map(), newest: [] };
      this.#byTag.set(tag, running);
    }
    if (rate === undefined) running.unrated.set(currency, (running.unrated.get(currency) ?? 0) + amount);
    else running.fees += amount * rate;
    if (isFeeCorrection(fill)) return;
    running.fills += 1;
    if (running.newest.push(fill) > NEWEST) running.newest.shift();
  }

  saved(): SavedTally {
    return this.#byTag;
  }

  load(saved: SavedTally): void {
    for (const [tag, tally] of saved)
      this.#byTag.set(tag, { ...tally, unrated: new Map(tally.unrated), newest: [...tally.newest] });
  }

  /** `firstRate`: undefined without a price, which counts as 0. */
  of(tag: string, firstRate: (currency: string) => number | undefined): Tally {
    const running = this.#byTag.get(tag);
    if (running === undefined) return NONE;
    let { fees } = running;
    for (const [currency, amount] of running.unrated) fees += amount * (firstRate(currency) ?? 0);
    return { fills: running.fills, fees, newest: [...running.newest] };
  }
}
