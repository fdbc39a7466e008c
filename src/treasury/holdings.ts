/** Balances of all accounts, for strategies and for resolving unknown outcomes. Pure. Risk uses `spine/balances.ts`. */
import type { AccountType, Balance } from '../model/trading/account.ts';
import type { MoneyBaseline } from '../model/entries/money-entries.ts';
import type { MoneyRequest } from '../model/funds/money-commands.ts';
import { baselineOf } from '../spine/money/content.ts';

interface Held {
  balance: Balance;
  /** Unix ms. */
  at: number;
}

export class Holdings {
  /** In the order of their first report. */
  readonly #held: Held[] = [];
  /** A complete list was reported. */
  #known = false;

  of(account: AccountType, currency: string): Balance | undefined {
    return this.#find(account, currency)?.balance;
  }

  all(): readonly Balance[] {
    return this.#held.map(({ balance }) => balance);
  }

  /** Returns the changed rows, frozen. `whole`: a missing row means zero, unless the list is empty. */
  apply(rows: readonly Balance[], whole: boolean, at: number): readonly Balance[] {
    const changed: Balance[] = [];
    if (rows.length === 0 && this.all().some(({ total }) => total !== '0')) return changed;
    for (const row of rows) this.#set(row, at, changed);
    if (!whole) return changed;
    this.#known = true;
    for (const { balance } of this.#held)
      if (!rows.some((row) => row.account === balance.account && row.currency === balance.currency))
        this.#set({ ...balance, available: '0', locked: '0', total: '0' }, at, changed);
    return changed;
  }

  /** Totals for later comparison; null while unknown. */
  baseline(request: MoneyRequest): MoneyBaseline | null {
    if (!this.#known || this.#held.length === 0) return null;
    return baselineOf(request, this.all(), Math.min(...this.#held.map(({ at }) => at)));
  }

  #set(row: Balance, at: number, changed: Balance[]): void {
    const held = this.#find(row.account, row.currency);
    const before = held?.balance;
    const same = before?.total === row.total && before.available === row.available && before.locked === row.locked;
    const balance = same ? before : Object.isFrozen(row) ? row : Object.freeze({ ...row });
    if (held === undefined) this.#held.push({ balance, at });
    else {
      held.balance = balance;
      held.at = at;
    }
    if (!same) changed.push(balance);
  }

  #find(account: AccountType, currency: string): Held | undefined {
    for (const held of this.#held)
      if (held.balance.currency === currency && held.balance.account === account) return held;
    return undefined;
  }
}
