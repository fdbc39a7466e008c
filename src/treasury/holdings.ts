/** Balances of all accounts, for strategies and for resolving unknown outcomes. Pure. Risk uses `spine/balances.ts`. */
import type { AccountType, Balance } from '../model/trading/account.ts';
import type { MoneyBaseline } from '../model/entries/money-entries.ts';
import type { MoneyRequest } from '../model/funds/money-commands.ts';
import { baselineOf } from '../spine/money/content.ts';

interface Held {
  readonly balance: Balance;
  /** Unix ms. */
  readonly at: number;
}

export class Holdings {
  /** In the order of their first report. */
  readonly #held = new Map<string, Held>();
  /** A complete list was reported. */
  #known = false;

  of(account: AccountType, currency: string): Balance | undefined {
    return this.#held.get(`${account}/${currency}`)?.balance;
  }

  all(): readonly Balance[] {
    return Array.from(this.#held.values(), ({ balance }) => balance);
  }

  /** Returns the changed rows, frozen. `whole`: a missing row means zero, unless the list is empty. */
  apply(rows: readonly Balance[], whole: boolean, at: number): readonly Balance[] {
    const changed: Balance[] = [];
    if (rows.length === 0 && this.all().some(({ total }) => total !== '0')) return changed;
    for (const row of rows) this.#set(row, at, changed);
    if (!whole) return changed;
    this.#known = true;
    for (const balance of this.all())
      if (!rows.some((row) => row.account === balance.account && row.currency === balance.currency))
        this.#set({ ...balance, available: '0', locked: '0', total: '0' }, at, changed);
    return changed;
  }

  /** Totals for later comparison; null while unknown. */
  baseline(request: MoneyRequest): MoneyBaseline | null {
    if (!this.#known || this.#held.size === 0) return null;
    return baselineOf(request, this.all(), Math.min(...Array.from(this.#held.values(), ({ at }) => at)));
  }

  #set(row: Balance, at: number, changed: Balance[]): void {
    const before = this.of(row.account, row.currency);
    const same = before?.total === row.total && before.available === row.available && before.locked === row.locked;
    const balance = same ? before : Object.isFrozen(row) ? row : Object.freeze({ ...row });
    this.#held.set(`${row.account}/${row.currency}`, { balance, at });
    if (!same) changed.push(balance);
  }
}
