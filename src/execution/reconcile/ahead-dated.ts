/**
 * Trades that bear a time to come: a clock of the exchange was ahead when it stamped them (T06). Each counts as done when it was
 * first seen, or it would be younger than everything for as long as the clock was ahead: nothing would ever have been still
 * since, and what an opening holds would be booked beside it. Once its date is not to come any more, that counts: it was our
 * clock that was behind, such as after the machine had slept. Used by the booking of trades of others.
 */
import type { VenueFill } from '../../model/fill.ts';
import type { Reading } from '../../model/result.ts';

/** While no list is read whole; the oldest are forgotten. */
const KEPT_MAX = 10_000;

export class AheadDated {
  /** Trade → `asOf` of the first list that showed it. Only a list that was read whole, and does not show it, forgets it. */
  #firstSeen = new Map<string, number>();

  /**
   * The same trades, those dated after `asOf` + `skewMs` with the time of their first sight. `reading`: that showed them.
   */
  redated(fills: readonly VenueFill[], { kind, asOf }: Reading<VenueFill>, skewMs: number): readonly VenueFill[] {
    const before = this.#firstSeen;
    this.#firstSeen = new Map(kind === 'complete' ? [] : before);
    const redated = fills.map((fill) => {
      const key = `${fill.symbol}/${fill.tradeId}`;
      const isToCome = fill.ts > asOf + skewMs;
      const seenAt = before.get(key) ?? (isToCome ? asOf : undefined);
      if (seenAt === undefined) return fill;
      this.#firstSeen.set(key, seenAt);
      return isToCome ? { ...fill, ts: Math.min(fill.ts, seenAt) } : fill;
    });
    for (const oldest of this.#firstSeen.keys()) {
      if (this.#firstSeen.size <= KEPT_MAX) break;
      this.#firstSeen.delete(oldest);
    }
    return redated;
  }

  has({ symbol, tradeId }: VenueFill): boolean {
    return this.#firstSeen.has(`${symbol}/${tradeId}`);
  }
}
