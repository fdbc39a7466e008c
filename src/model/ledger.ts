/**
 * Double-entry ledger (rule A4): every posting moves value between accounts and sums to zero per asset, so each asset
 * sums to zero over all accounts, the market's and the outside's included, at every instant.
 * Account names are free text, e.g. `alice/unified-trading/available`, `market`, `fees`, `outside`.
 */
import { ZERO, type Decimal } from './money.ts';

export interface Entry {
  readonly account: string;
  readonly asset: string;
  /** Signed. */
  readonly amount: Decimal;
}

export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

export class Ledger {
  readonly #balances = new Map<string, Map<string, Decimal>>();

  /** Moves `amount` of `asset`. */
  transfer(from: string, to: string, asset: string, amount: Decimal): void {
    if (amount.isZero()) return;
    const giving = this.#assetsOf(from);
    giving.set(asset, (giving.get(asset) ?? ZERO).minus(amount));
    this.#add(to, asset, amount);
  }

  /** Posts entries that must sum to zero per asset; all or nothing. */
  post(entries: readonly Entry[]): void {
    const sums = new Map<string, Decimal>();
    for (const { asset, amount } of entries) {
      sums.set(asset, (sums.get(asset) ?? ZERO).plus(amount));
    }
    for (const [asset, sum] of sums) {
      if (!sum.isZero()) throw new LedgerError(`a posting of ${asset} is off by ${sum.toFixed()}`);
    }
    for (const { account, asset, amount } of entries) this.#add(account, asset, amount);
  }

  balance(account: string, asset: string): Decimal {
    return this.#balances.get(account)?.get(asset) ?? ZERO;
  }

  /** Non-zero balances of one account. */
  assetsOf(account: string): ReadonlyMap<string, Decimal> {
    return this.#balances.get(account) ?? new Map<string, Decimal>();
  }

  accounts(): readonly string[] {
    return [...this.#balances.keys()];
  }

  /** Sum of every asset over all accounts; all are zero unless this class is wrong. */
  totals(): ReadonlyMap<string, Decimal> {
    const totals = new Map<string, Decimal>();
    for (const assets of this.#balances.values()) {
      for (const [asset, amount] of assets) totals.set(asset, (totals.get(asset) ?? ZERO).plus(amount));
    }
    return totals;
  }

  #add(account: string, asset: string, amount: Decimal): void {
    const assets = this.#assetsOf(account);
    assets.set(asset, (assets.get(asset) ?? ZERO).plus(amount));
  }

  #assetsOf(account: string): Map<string, Decimal> {
    let assets = this.#balances.get(account);
    if (assets === undefined) this.#balances.set(account, (assets = new Map<string, Decimal>()));
    return assets;
  }
}
