/**
 * R3 of first fills: after the first fill of a process in a symbol no new risk leaves there before the process has asked for
 * what it moved: its balances, for a perpetual its positions. F4 of own trades: an alarm that a fill bears another side, or contradicts its order, is raised only where the
 * exchange has told one so.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import type { RareStates } from './rare-states.ts';
import type { VenueSide } from './venue-side.ts';

export class FirstFillsLaw {
  readonly #venue: VenueSide;
  readonly #rare: RareStates;
  readonly #violated: (law: string, what: string) => void;
  /** Symbols with a fill of this process → true Unix ms of the first; infinite once the account was asked for after it. */
  readonly #filledAt = new Map<string, number>();
  readonly #perpetuals = new Set<string>();

  constructor(venue: VenueSide, rare: RareStates, violated: (law: string, what: string) => void) {
    this.#venue = venue;
    this.#rare = rare;
    this.#violated = violated;
  }

  entry(entry: JournalEntry, nowMs: number): void {
    if (entry.kind === 'session') this.#filledAt.clear();
    // What a human has booked by the list needs no proof.
    if (entry.kind === 'fill' && entry.corrects !== true && !this.#filledAt.has(entry.fill.symbol)) {
      this.#filledAt.set(entry.fill.symbol, nowMs);
      if (entry.fill.market === 'derivative') this.#perpetuals.add(entry.fill.symbol);
    }
    if (entry.kind !== 'alarm') return;
    const { misworded } = this.#venue;
    if (entry.code === 'own_trade_side' && !misworded.has('side')) this.#violated('F4', entry.message);
    if (entry.code === 'fill_contradiction' && !misworded.has('terms')) this.#violated('F4', entry.message);
  }

  /** The process asks for its balances or its positions. */
  asked(subject: 'balances' | 'positions', nowMs: number): void {
    for (const [symbol, at] of this.#filledAt) {
      if (this.#perpetuals.has(symbol) !== (subject === 'positions')) continue;
      if (at === Number.POSITIVE_INFINITY || nowMs < at) continue;
      this.#rare.mark('first fills seen in the account');
      this.#filledAt.set(symbol, Number.POSITIVE_INFINITY);
    }
  }

  /** A create that may add risk. */
  leaving(intentId: string, symbol: string): void {
    if ((this.#filledAt.get(symbol) ?? Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY)
      this.#violated('R3', `${intentId} leaves before the account was read after the first fill of ${symbol}`);
  }
}
