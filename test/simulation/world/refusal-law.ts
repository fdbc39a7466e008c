/**
 * What the exchange has refused in the same words so often is not tried again for a while (INV-R2, reliability O34). Judged
 * from rows of the journal: an order that is decided after the last refusal, of the same strategy, symbol and side. Exits are
 * by themselves; what was too small or too large says nothing of another size.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';

/** `repeatedRejects` and `rejectCooldownMs` of the world, less what a clock may be set by. */
const IN_A_ROW = 3;
const PAUSE_MS = 55_000;

interface Order {
  readonly key: string;
  readonly isExit: boolean;
  readonly quantity: number;
}

const TOO_SMALL = ['below_minimum'];
const TOO_LARGE = ['above_maximum', 'insufficient_balance', 'reduce_only_violation'];

interface Streak {
  code: string;
  quantity: number;
  count: number;
  at: number;
}

export class RefusalLaw {
  readonly #violated: (what: string) => void;
  readonly #orders = new Map<string, Order>();
  readonly #streaks = new Map<string, Streak>();

  constructor(violated: (what: string) => void) {
    this.#violated = violated;
  }

  row(entry: JournalEntry, ts: number): void {
    if (entry.kind === 'session') {
      // A breaker is of one process.
      this.#orders.clear();
      this.#streaks.clear();
    } else if (entry.kind === 'intent' && entry.command === 'create') {
      const isExit = entry.reduceOnly && entry.newRisk !== true;
      const { side, symbol, quantity } = entry.order;
      const order = {
        key: `${entry.strategy} ${side} ${symbol}${isExit ? ', exits' : ''}`,
        isExit,
        quantity: Number(quantity),
      };
      this.#orders.set(entry.intentId, order);
      // One that was made by rows that are gone was not decided now; that it was accepted ends a streak, too (seed 72293).
      if (entry.adoptedFrom === undefined) this.#decided(order, ts);
    } else if ('intentId' in entry) this.#told(this.#orders.get(entry.intentId), entry, ts);
  }

  #decided({ key, isExit, quantity }: Order, ts: number): void {
    const streak = this.#streaks.get(key);
    if (streak === undefined || streak.count < IN_A_ROW || ts >= streak.at + PAUSE_MS || ts < streak.at) return;
    const { code } = streak;
    const isOther =
      (TOO_SMALL.includes(code) && quantity !== streak.quantity) ||
      (TOO_LARGE.includes(code) && quantity < streak.quantity);
    if (isExit && isOther) return;
    this.#violated(`${key} is tried again, ${streak.count} times refused in a row with ${streak.code}`);
  }

  #told(order: Order | undefined, entry: JournalEntry, ts: number): void {
    if (order === undefined) return;
    if (entry.kind === 'outcome' && entry.outcome.kind === 'refused') this.#refused(order, entry.outcome.code, ts);
    else if (entry.kind === 'fill' || entry.kind === 'order') this.#streaks.delete(order.key);
    else if (entry.kind === 'outcome' && entry.outcome.kind === 'accepted') this.#streaks.delete(order.key);
  }

  #refused({ key, quantity }: Order, code: string, ts: number): void {
    const streak = this.#streaks.get(key);
    if (streak?.code !== code) this.#streaks.set(key, { code, quantity, count: 1, at: ts });
    else {
      streak.count++;
      streak.quantity = Math.min(streak.quantity, quantity);
      streak.at = ts;
    }
  }
}
