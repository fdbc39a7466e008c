/**
 * What the exchange has refused in the same words so often is not tried again for a while (INV-R2, reliability O34). Judged
 * from rows of the journal: an order that is decided after the last refusal, of the same strategy, symbol and side.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';

/** `repeatedRejects` and `rejectCooldownMs` of the world, less what a clock may be set by. */
const IN_A_ROW = 3;
const PAUSE_MS = 55_000;

interface Streak {
  code: string;
  count: number;
  at: number;
}

export class RefusalLaw {
  readonly #violated: (what: string) => void;
  readonly #keys = new Map<string, string>();
  readonly #streaks = new Map<string, Streak>();

  constructor(violated: (what: string) => void) {
    this.#violated = violated;
  }

  row(entry: JournalEntry, ts: number): void {
    if (entry.kind === 'session') {
      // A breaker is of one process.
      this.#keys.clear();
      this.#streaks.clear();
    } else if (entry.kind === 'intent' && entry.command === 'create') {
      const key = `${entry.strategy} ${entry.order.side} ${entry.order.symbol}`;
      this.#keys.set(entry.intentId, key);
      // One that was made by rows that are gone was not decided now; that it was accepted ends a streak, too (seed 72293).
      if (entry.adoptedFrom === undefined) this.#decided(key, ts);
    } else if ('intentId' in entry) this.#told(this.#keys.get(entry.intentId), entry, ts);
  }

  #decided(key: string, ts: number): void {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.count < IN_A_ROW || ts >= streak.at + PAUSE_MS || ts < streak.at) return;
    this.#violated(`${key} is tried again, ${streak.count} times refused in a row with ${streak.code}`);
  }

  #told(key: string | undefined, entry: JournalEntry, ts: number): void {
    if (key === undefined) return;
    if (entry.kind === 'outcome' && entry.outcome.kind === 'refused') this.#refused(key, entry.outcome.code, ts);
    else if (entry.kind === 'fill' || entry.kind === 'order') this.#streaks.delete(key);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted') this.#streaks.delete(key);
  }

  #refused(key: string, code: string, ts: number): void {
    const streak = this.#streaks.get(key);
    if (streak?.code !== code) this.#streaks.set(key, { code, count: 1, at: ts });
    else {
      streak.count++;
      streak.at = ts;
    }
  }
}
