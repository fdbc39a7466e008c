/**
 * Money of all users on the double-entry ledger (rules A2, A4): per user, account type and currency an available and a
 * locked part. Whatever comes in leaves `outside`, whatever is charged goes to `fees`, so every asset sums to zero.
 * No part is ever negative: functions that could make it so answer false and change nothing.
 */
import type { AccountType, Balance } from '../../model/account.ts';
import { Ledger, type Entry } from '../../model/ledger.ts';
import { decimalText, type Decimal } from '../../model/money.ts';

/** The order in which balances are listed. */
export const accountTypes: readonly AccountType[] = [
  'unified-trading',
  'funding',
  'p2p',
  'referral-program',
  'overdraft',
];

/** Accounts of the exchange itself. */
export const OUTSIDE = 'outside';
export const FEES = 'fees';
/** Money in codes that nobody has redeemed yet. */
export const CODES = 'codes';
/** Lends on overdrafts: below zero by what is lent. */
export const LENDER = 'lender';
/** Stands on the other side of every futures position: profits come from it, losses and funding go through it. */
export const MARKET = 'market';
/** Takes what liquidations leave, and pays what they lack. */
export const INSURANCE = 'insurance';

/** Ledger account names of one user's account. Made once: the names are used on every fill. */
export interface Wallet {
  readonly userId: string;
  readonly account: AccountType;
  readonly available: string;
  readonly locked: string;
}

export type OnBalanceChange = (wallet: Wallet, currency: string) => void;

export class Accounts {
  readonly #ledger = new Ledger();
  readonly #wallets = new Map<string, Wallet>();
  readonly #onChange: OnBalanceChange;

  constructor(onChange: OnBalanceChange) {
    this.#onChange = onChange;
  }

  wallet(userId: string, account: AccountType): Wallet {
    const name = `${userId}/${account}`;
    let wallet = this.#wallets.get(name);
    if (wallet === undefined) {
      wallet = Object.freeze({ userId, account, available: `${name}/available`, locked: `${name}/locked` });
      this.#wallets.set(name, wallet);
    }
    return wallet;
  }

  available(wallet: Wallet, currency: string): Decimal {
    return this.#ledger.balance(wallet.available, currency);
  }

  locked(wallet: Wallet, currency: string): Decimal {
    return this.#ledger.balance(wallet.locked, currency);
  }

  /** Money from outside. */
  deposit(wallet: Wallet, currency: string, amount: Decimal): void {
    this.credit(wallet, currency, amount, OUTSIDE);
  }

  /** Money from an account of the exchange. */
  credit(wallet: Wallet, currency: string, amount: Decimal, from: string): void {
    this.#ledger.transfer(from, wallet.available, currency, amount);
    this.#onChange(wallet, currency);
  }

  /** Available money to an account of the exchange; false when it does not suffice. */
  pay(wallet: Wallet, currency: string, amount: Decimal, to: string): boolean {
    if (this.available(wallet, currency).lt(amount)) return false;
    this.#ledger.transfer(wallet.available, to, currency, amount);
    this.#onChange(wallet, currency);
    return true;
  }

  /** Available money of one wallet to another; false when it does not suffice. */
  move(from: Wallet, to: Wallet, currency: string, amount: Decimal): boolean {
    if (!this.pay(from, currency, amount, to.available)) return false;
    this.#onChange(to, currency);
    return true;
  }

  /** Locked money to an account of the exchange. Throws when less is locked. */
  payLocked(wallet: Wallet, currency: string, amount: Decimal, to: string): void {
    this.unlock(wallet, currency, amount);
    this.pay(wallet, currency, amount, to);
  }

  /** Available to locked; false when it does not suffice. */
  lock(wallet: Wallet, currency: string, amount: Decimal): boolean {
    if (this.available(wallet, currency).lt(amount)) return false;
    this.#ledger.transfer(wallet.available, wallet.locked, currency, amount);
    this.#onChange(wallet, currency);
    return true;
  }

  /** Locked back to available. Throws when more is asked than is locked: the caller's books are wrong then. */
  unlock(wallet: Wallet, currency: string, amount: Decimal): void {
    if (amount.isZero()) return;
    if (this.locked(wallet, currency).lt(amount)) {
      throw new RangeError(`${wallet.locked}: cannot release ${amount.toFixed()} ${currency}, less is locked`);
    }
    this.#ledger.transfer(wallet.locked, wallet.available, currency, amount);
    this.#onChange(wallet, currency);
  }

  /** Posts a settlement. `touched` are the wallets and currencies that it changes. */
  settle(entries: readonly Entry[], touched: readonly (readonly [Wallet, string])[]): void {
    this.#ledger.post(entries);
    for (const [wallet, currency] of touched) this.#onChange(wallet, currency);
  }

  row(wallet: Wallet, currency: string): Balance {
    const available = this.available(wallet, currency);
    const locked = this.locked(wallet, currency);
    return {
      account: wallet.account,
      currency,
      available: decimalText(available),
      locked: decimalText(locked),
      total: decimalText(available.plus(locked)),
    };
  }

  /** Every currency that the user ever held, trading account first. */
  rows(userId: string): Balance[] {
    return accountTypes.flatMap((account) => {
      const wallet = this.wallet(userId, account);
      const currencies = new Set([
        ...this.#ledger.assetsOf(wallet.available).keys(),
        ...this.#ledger.assetsOf(wallet.locked).keys(),
      ]);
      return [...currencies].toSorted().map((currency) => this.row(wallet, currency));
    });
  }

  /** Balance of an account of the exchange. */
  ofExchange(account: string, currency: string): Decimal {
    return this.#ledger.balance(account, currency);
  }

  /** Sum of every asset over all accounts, outside and fees included: zero, always. */
  totals(): ReadonlyMap<string, Decimal> {
    return this.#ledger.totals();
  }
}
