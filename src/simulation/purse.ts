/**
 * The money of the one simulated account (rules A2, A4): its wallets in the ledger of `clearing/`, and what has changed
 * since it was told last. Used by the settlements, `exchange.ts` and `venue.ts`.
 */
import { Accounts, type Wallet } from '../clearing/accounts.ts';
import type { Pocket } from '../clearing/pocket.ts';
import type { AccountType, Balance } from '../model/account.ts';
import { decimalText, type Decimal } from '../model/money.ts';

const USER = 'account';
const TRADING = 'unified-trading';

export class Purse {
  /** The trading account. */
  readonly wallet: Wallet;
  readonly #accounts: Accounts;
  readonly #changed = new Set<Pocket>();
  /** Counts movements that change a total, so that others can tell whether one of theirs is old. */
  moves = 0;
  /** Counts these, and what only changes how a total is divided. */
  changes = 0;

  constructor() {
    this.#accounts = new Accounts((pocket, isMoved) => {
      if (pocket.owner !== this.wallet) return;
      this.#changed.add(pocket);
      this.changes++;
      if (isMoved) this.moves++;
    });
    this.wallet = this.#accounts.wallet(USER, TRADING);
  }

  /** Sum of each asset over all accounts: zero, or the ledger is wrong. */
  totals(): ReadonlyMap<string, Decimal> {
    return this.#accounts.totals();
  }

  /** Money from outside: start balances, grants, what a restored session had. */
  grant(currency: string, amount: Decimal): void {
    if (!amount.isZero()) this.wallet.pocket(currency).receive(amount, 'outside');
  }

  /** What others have paid because the account could not. */
  insured(currency: string): Decimal {
    return this.#accounts.ofExchange('insurance', currency).neg();
  }

  /** Between own accounts; the trading account is one of them. False, and nothing changes, when it does not suffice. */
  transfer(from: AccountType, to: AccountType, currency: string, amount: Decimal): boolean {
    return this.#accounts.pocket(USER, from, currency).moveTo(this.#accounts.pocket(USER, to, currency), amount);
  }

  /** What an account other than the trading account has from the start. */
  grantTo(account: AccountType, currency: string, amount: Decimal): void {
    this.#accounts.pocket(USER, account, currency).receive(amount, 'outside');
  }

  balancesOf(account: AccountType): readonly Balance[] {
    return this.#accounts.wallet(USER, account).rows();
  }

  balances(): readonly Balance[] {
    return this.wallet.rows();
  }

  /** By currency, canonical text. */
  totalTexts(): ReadonlyMap<string, string> {
    const totals = new Map<string, string>();
    for (const { currency, total } of this.wallet.used) totals.set(currency, decimalText(total));
    return totals;
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Balances that changed since the last call. */
  takeChanged(): readonly Balance[] {
    if (this.#changed.size === 0) return [];
    const rows = [...this.#changed].map((pocket) => pocket.row());
    this.#changed.clear();
    return rows;
  }
}
