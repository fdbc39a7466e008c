/**
 * Balances of all accounts as last told, by polls and by the venue's stream. Pure. The trading account's own figures for
 * risk are in `balances.ts`; these are what strategies see and what a transfer is compared with afterwards.
 */
import type { AccountType, Balance } from '../../model/account.ts';
import type { MoneyBaseline } from '../../model/money-entries.ts';
import type { MoneyRequest } from '../../model/treasury.ts';
import { baselineOf } from './content.ts';

interface Held {
  readonly balance: Balance;
  /** Unix ms at which it was told. */
  readonly at: number;
}

export class Holdings {
  readonly #held = new Map<string, Held>();
  /** Every account has been told once. */
  #known = false;

  of(account: AccountType, currency: string): Balance | undefined {
    return this.#held.get(`${account}/${currency}`)?.balance;
  }

  all(): readonly Balance[] {
    return [...this.#held.values()].map(({ balance }) => balance);
  }

  /** Answers the rows that changed, frozen. `whole`: what is not named is gone, unless nothing at all is named. */
  apply(rows: readonly Balance[], whole: boolean, at: number): readonly Balance[] {
    const changed: Balance[] = [];
    if (rows.length === 0 && this.all().some(({ total }) => total !== '0')) return changed;
    const named = new Set<string>();
    for (const row of rows) {
      named.add(`${row.account}/${row.currency}`);
      this.#set(row, at, changed);
    }
    if (!whole) return changed;
    this.#known = true;
    for (const [key, { balance }] of this.#held) {
      if (!named.has(key)) this.#set({ ...balance, available: '0', locked: '0', total: '0' }, at, changed);
    }
    return changed;
  }

  /** What a movement will be compared with; null while the accounts are not known. */
  baseline(request: MoneyRequest): MoneyBaseline | null {
    if (!this.#known) return null;
    const oldest = Math.min(...[...this.#held.values()].map(({ at }) => at));
    return Number.isFinite(oldest) ? baselineOf(request, this.all(), oldest) : null;
  }

  #set(row: Balance, at: number, changed: Balance[]): void {
    const key = `${row.account}/${row.currency}`;
    const before = this.#held.get(key)?.balance;
    const same = before?.total === row.total && before.available === row.available && before.locked === row.locked;
    const balance = same ? before : Object.freeze({ ...row });
    this.#held.set(key, { balance, at });
    if (!same) changed.push(balance);
  }
}
