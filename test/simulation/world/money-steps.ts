/**
 * Steps of the advertisements and fiat drafts of the account under test, each once, as they are seen at the exchange: it keeps how
 * something stands, not how it came there.
 */
import { decimalText } from '../../../src/model/numbers/money.ts';
import type { Advertisement } from '../../../src/sandbox/core/p2p/advertisement.ts';
import type { Transaction } from '../../../src/sandbox/core/money/transactions.ts';

export interface Effect {
  /** Unique. */
  readonly id: string;
  /** As the law names a command. */
  readonly key: string;
}

export class MoneySteps {
  /** Of each advertisement and draft: what it is now. */
  readonly #now = new Map<string, readonly string[]>();
  readonly #steps: Effect[] = [];

  /** All so far. */
  look(advertisements: readonly Advertisement[], applications: readonly Transaction[]): readonly Effect[] {
    for (const { advertisementId, status, terms } of advertisements) {
      // The exchange counts them by themselves.
      const id = `offer ${advertisementId}`;
      if (!this.#now.has(id)) this.#add(`offer of ${decimalText(terms.amount)}`);
      this.#is(id, [`${id} becomes ${status}`, `${id} costs ${decimalText(terms.price)}`]);
    }
    for (const { transactionId, status } of applications) {
      const id = `draft ${transactionId}`;
      const isOver = status === 'created' || status === 'canceled';
      this.#is(id, isOver ? [] : [`${id} is confirmed`]);
    }
    return this.#steps;
  }

  /** Whoever made it so. */
  stands(key: string): boolean {
    return [...this.#now.values()].some((keys) => keys.includes(key));
  }

  /** What is new of something that was there. */
  #is(id: string, keys: readonly string[]): void {
    const before = this.#now.get(id);
    this.#now.set(id, keys);
    if (before === undefined) return;
    for (const key of keys) if (!before.includes(key)) this.#add(key);
  }

  #add(key: string): void {
    this.#steps.push({ id: `step ${this.#steps.length + 1}`, key });
  }
}
