/**
 * Whether a balance or a position is what opening, own fills and labelled adjustments explain. A difference counts only
 * when readings show the same one for as long as the venue's lists of trades may lag: a fill that is late would else be
 * booked as a difference and as a fill. What is on its way explains only a difference that came up after it was decided,
 * so balances are compared while trading too. Pure but for that memory.
 */
import { dec, decimalText, type Decimal } from '../../model/money.ts';

export type ResidualVerdict =
  | { readonly kind: 'explained' }
  /** Seen once, or it moved: look again. */
  | { readonly kind: 'watch' }
  /** `since`: Unix ms of the reading that showed it first; `intents`: own ones that had been decided by then. */
  | { readonly kind: 'residual'; readonly difference: Decimal; readonly since: number; readonly intents: number };

/** Of a reading: Unix ms, and own intents that had been decided when it was judged. */
export interface ReadingMark {
  readonly asOf: number;
  readonly intents: number;
}

interface Seen {
  readonly difference: string;
  /** What was explained then. */
  readonly explained: Decimal;
  readonly since: number;
  readonly intents: number;
}

export class Residuals {
  readonly #seen = new Map<string, Seen>();
  readonly #tolerance: Decimal;
  readonly #lagMs: number;

  /** `lagMs`: how far the venue's list of trades may lag behind its balances. */
  constructor(tolerance: string, lagMs: number) {
    this.#tolerance = dec(tolerance);
    this.#lagMs = lagMs;
  }

  /** What moved it then (Unix ms) is booked: a difference that was seen later held that, and is another when it is seen again. */
  explained(name: string, ts: number): void {
    const seen = this.#seen.get(name);
    if (seen !== undefined && ts <= seen.since) this.#seen.delete(name);
  }

  judge(name: string, told: Decimal, explained: Decimal, { asOf, intents }: ReadingMark): ResidualVerdict {
    const difference = told.minus(explained);
    if (difference.abs().lte(this.#tolerance)) {
      this.#seen.delete(name);
      return { kind: 'explained' };
    }
    const text = decimalText(difference);
    const seen = this.#seen.get(name);
    // What was seen then is booked: this is another one, of the same size.
    const isAnother = seen !== undefined && explained.minus(seen.explained).eq(difference);
    if (seen?.difference !== text || isAnother) {
      this.#seen.set(name, { difference: text, explained, since: asOf, intents });
      return { kind: 'watch' };
    }
    return asOf > seen.since && asOf - seen.since >= this.#lagMs
      ? { kind: 'residual', difference, since: seen.since, intents: seen.intents }
      : { kind: 'watch' };
  }
}
