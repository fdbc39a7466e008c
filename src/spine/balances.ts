/**
 * Balances of the trading account as the venue last reported them. Own fills since then are deducted, because a fill is
 * often known before the balance that it changed.
 */
import type { Balance } from '../model/trading/account.ts';
import { dec, ZERO, type Decimal } from '../model/numbers/money.ts';

export const TRADING_ACCOUNT = 'unified-trading';

export interface HeldBalance {
  balance: Balance;
  total: number;
  /** Spent by own fills since the balance was reported. */
  spent: Decimal;
  spentValue: number;
}

export class Balances {
  readonly #held = new Map<string, HeldBalance>();
  /** In the order of their first report. */
  readonly #all: HeldBalance[] = [];
  version = 0;
  /** True once the whole account has been reported. */
  known = false;

  of(currency: string): HeldBalance | undefined {
    return this.#held.get(currency);
  }

  /** Do not keep the array. */
  all(): readonly HeldBalance[] {
    return this.#all;
  }

  get hasAny(): boolean {
    return this.#all.some(({ balance }) => balance.total !== '0');
  }

  /** Applies frozen rows and returns those that changed. `whole`: a currency without a row becomes zero. */
  apply(rows: readonly Balance[], whole: boolean): readonly Balance[] {
    const changed: Balance[] = [];
    for (const row of rows) if (row.account === TRADING_ACCOUNT && this.#set(row)) changed.push(row);
    if (whole) {
      this.known = true;
      const ofTrading = rows.filter(({ account }) => account === TRADING_ACCOUNT);
      const named = new Set(ofTrading.map(({ currency }) => currency));
      for (const [currency, held] of this.#held) {
        if (named.has(currency) || held.balance.total === '0') continue;
        const gone = zeroBalance(currency);
        this.#set(gone);
        changed.push(gone);
      }
    }
    if (changed.length > 0) this.version++;
    return changed;
  }

  spend(currency: string, amount: Decimal): void {
    const held = this.#held.get(currency);
    if (held === undefined) return;
    held.spent = held.spent.plus(amount);
    held.spentValue = held.spent.toNumber();
  }

  #set(row: Balance): boolean {
    const held = this.#held.get(row.currency);
    if (held === undefined) {
      const reported = { balance: row, total: Number(row.total), spent: ZERO, spentValue: 0 };
      this.#held.set(row.currency, reported);
      this.#all.push(reported);
      return true;
    }
    const before = held.balance;
    held.spent = ZERO;
    held.spentValue = 0;
    if (before.total === row.total && before.available === row.available && before.locked === row.locked) return false;
    held.balance = row;
    if (before.total !== row.total) held.total = Number(row.total);
    return true;
  }
}

export function zeroBalance(currency: string): Balance {
  return Object.freeze({ account: TRADING_ACCOUNT, currency, available: '0', locked: '0', total: '0' });
}

export function unspent(held: HeldBalance): Decimal {
  return dec(held.balance.total).minus(held.spent);
}
