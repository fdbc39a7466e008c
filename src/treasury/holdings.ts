/** Balances of all accounts, for strategies and proofs. Pure. Risk uses `spine/balances.ts`. */
import type { AccountType, Balance } from '../model/account.ts';
import type { MoneyBaseline } from '../model/money-entries.ts';
import type { MoneyRequest } from '../model/money-commands.ts';
import { baselineOf } from '../spine/money/content.ts';

interface Held {
  balance: Balance;
  /** Unix ms. */
  at: number;
}

export class Holdings {
  /** In the order first told. */
  readonly #all: Held[] = [];
  /** One of each account. */
  readonly #byCurrency = new Map<string, Held[]>();
  /** A whole list has been told. */
  #known = false;

  of(account: AccountType, currency: string): Balance | undefined {
    return this.#find(account, currency)?.balance;
  }

  all(): readonly Balance[] {
    return this.#all.map(({ balance }) => balance);
  }

  /** Returns the changed rows, frozen. `whole`: a missing row means zero, unless the list is empty. */
  apply(rows: readonly Balance[], whole: boolean, at: number): readonly Balance[] {
    const changed: Balance[] = [];
    if (rows.length === 0 && this.all().some(({ total }) => total !== '0')) return changed;
    for (const row of rows) this.#set(row, at, changed);
    if (!whole) return changed;
    this.#known = true;
    const named = new Set(rows.map(({ account, currency }) => `${account}/${currency}`));
    for (const { balance } of this.#all) {
      if (named.has(`${balance.account}/${balance.currency}`)) continue;
      this.#set({ ...balance, available: '0', locked: '0', total: '0' }, at, changed);
    }
    return changed;
  }

  /** What a movement is compared with later; null while unknown. */
  baseline(request: MoneyRequest): MoneyBaseline | null {
    if (!this.#known) return null;
    const oldest = Math.min(...this.#all.map(({ at }) => at));
    return Number.isFinite(oldest) ? baselineOf(request, this.all(), oldest) : null;
  }

  #set(row: Balance, at: number, changed: Balance[]): void {
    const held = this.#find(row.account, row.currency);
    const before = held?.balance;
    const same = before?.total === row.total && before.available === row.available && before.locked === row.locked;
    const balance = same ? before : Object.isFrozen(row) ? row : Object.freeze({ ...row });
    if (held === undefined) this.#add({ balance, at });
    else {
      held.balance = balance;
      held.at = at;
    }
    if (!same) changed.push(balance);
  }

  #find(account: AccountType, currency: string): Held | undefined {
    return this.#byCurrency.get(currency)?.find(({ balance }) => balance.account === account);
  }

  #add(held: Held): void {
    const { currency } = held.balance;
    this.#all.push(held);
    const ofAccounts = this.#byCurrency.get(currency);
    if (ofAccounts === undefined) this.#byCurrency.set(currency, [held]);
    else ofAccounts.push(held);
  }
}
