/** Wallets of the simulated account, and unpublished balance changes. */
import { Accounts, type Wallet } from '../../clearing/accounts.ts';
import type { Pocket } from '../../clearing/pocket.ts';
import type { AccountType, Balance } from '../../model/trading/account.ts';
import { decimalText, type Decimal } from '../../model/numbers/money.ts';
import { shorten } from '../../model/shorten.ts';

const USER = 'account';
const TRADING = 'unified-trading';

export class Purse {
  readonly wallet: Wallet;
  readonly #accounts: Accounts;
  /** Few; a cleared set is a new table. */
  readonly #changed: Pocket[] = [];
  /** Counts changes of a total. */
  moves = 0;
  /** Counts all changes. */
  changes = 0;

  constructor() {
    this.#accounts = new Accounts((pocket, isMoved) => {
      if (pocket.owner !== this.wallet) return;
      if (!this.#changed.includes(pocket)) this.#changed.push(pocket);
      this.changes++;
      if (isMoved) this.moves++;
    });
    this.wallet = this.#accounts.wallet(USER, TRADING);
  }

  /** Always zero. */
  totals(): ReadonlyMap<string, Decimal> {
    return this.#accounts.totals();
  }

  /** From `outside`. */
  grant(currency: string, amount: Decimal): void {
    if (!amount.isZero()) this.wallet.pocket(currency).receive(amount, 'outside');
  }

  /** Paid by the insurance. */
  insured(currency: string): Decimal {
    return this.#accounts.ofExchange('insurance', currency).neg();
  }

  /** False without change when short. */
  transfer(from: AccountType, to: AccountType, currency: string, amount: Decimal): boolean {
    return this.#accounts.pocket(USER, from, currency).moveTo(this.#accounts.pocket(USER, to, currency), amount);
  }

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
    return this.#changed.length > 0;
  }

  takeChanged(): readonly Balance[] {
    if (this.#changed.length === 0) return [];
    const rows = this.#changed.map((pocket) => pocket.row());
    shorten(this.#changed);
    return rows;
  }
}
