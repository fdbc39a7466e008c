/**
 * Whether a balance or position is explained. A difference counts only when unchanged for as long as trade lists lag,
 * or a late fill would be booked twice.
 */
import { dec, decimalText, type Decimal } from '../model/money.ts';

export type ResidualVerdict =
  | { readonly kind: 'explained' }
  /** Seen once, or it moved. */
  | { readonly kind: 'watch' }
  /** `since`: first snapshot, Unix ms; `intents`: own ones decided by then. */
  | { readonly kind: 'residual'; readonly difference: Decimal; readonly since: number; readonly intents: number };

export interface ReadingMark {
  readonly asOf: number;
  readonly intents: number;
}

export interface CheckFacts extends ReadingMark {
  /**
   * Count of the oldest own intent in flight; `Infinity`: none, 0: something else. A later difference proves nothing.
   */
  readonly movingFrom: number;
}

export function isStill({ movingFrom }: CheckFacts, verdict?: ResidualVerdict): boolean {
  return movingFrom === Number.POSITIVE_INFINITY || (verdict?.kind === 'residual' && verdict.intents < movingFrom);
}

interface Seen {
  readonly difference: string;
  readonly explained: Decimal;
  readonly since: number;
  readonly intents: number;
}

export class Residuals {
  readonly #seen = new Map<string, Seen>();
  readonly #tolerance: Decimal;
  readonly #lagMs: number;

  /** `lagMs`: possible lag of trades behind balances. */
  constructor(tolerance: string, lagMs: number) {
    this.#tolerance = dec(tolerance);
    this.#lagMs = lagMs;
  }

  /** The cause at `ts` (Unix ms) is booked: a later difference is another. */
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
    // The earlier one is booked; this has the same size.
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
