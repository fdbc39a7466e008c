/**
 * The simulated account's money on the double-entry ledger (rules A2, A4): per currency what is available and what is
 * locked for spot orders or as margin. Whatever comes in leaves `outside`, fees go to `fees`, trades go against `market`.
 * No part is ever negative; each asset sums to zero over all accounts. Used by `settlement.ts` and `venue.ts`.
 */
import type { AccountType, Balance } from '../model/account.ts';
import { Ledger } from '../model/ledger.ts';
import { decimalText, smaller, sum, ZERO, type Decimal } from '../model/money.ts';

const AVAILABLE = 'account/available';
const LOCKED = 'account/locked';
const MARGIN = 'account/margin';
const OUTSIDE = 'outside';
const MARKET = 'market';
const FEES = 'fees';
/** Losses beyond what the account holds: someone else's, as on an exchange with an insurance fund. */
const INSURANCE = 'insurance';

function partOf(account: AccountType): string {
  return account === 'unified-trading' ? AVAILABLE : `${account}/available`;
}

/** A part of the trading account. */
function isOwn(part: string): boolean {
  return part === AVAILABLE || part === LOCKED || part === MARGIN;
}

export class Purse {
  readonly #ledger = new Ledger();
  readonly #changed = new Set<string>();
  readonly #currencies = new Set<string>();
  /** What is to be held as margin, by currency; in those of `#short` losses have left less. */
  readonly #marginNeeds = new Map<string, Decimal>();
  readonly #short = new Set<string>();
  /** Counts movements that change a total, so that others can tell whether one of theirs is old. */
  moves = 0;

  available(currency: string): Decimal {
    return this.#ledger.balance(AVAILABLE, currency);
  }

  total(currency: string): Decimal {
    return sum(this.available(currency), this.#locked(currency));
  }

  /** Sum of each asset over all accounts: zero, or this class is wrong. */
  totals(): ReadonlyMap<string, Decimal> {
    return this.#ledger.totals();
  }

  /** Money from outside: start balances, grants, what a restored session had. */
  grant(currency: string, amount: Decimal): void {
    this.#move(OUTSIDE, AVAILABLE, currency, amount);
  }

  /** Locks for a spot order; false, and nothing changes, when it does not suffice. */
  lock(currency: string, amount: Decimal): boolean {
    if (this.available(currency).lt(amount)) return false;
    this.#move(AVAILABLE, LOCKED, currency, amount);
    return true;
  }

  unlock(currency: string, amount: Decimal): void {
    this.#move(LOCKED, AVAILABLE, currency, amount);
  }

  /** Pays the market from what is available. The caller has made sure that it suffices. */
  pay(currency: string, amount: Decimal): void {
    this.#move(AVAILABLE, MARKET, currency, amount);
  }

  receive(currency: string, amount: Decimal): void {
    this.#move(MARKET, AVAILABLE, currency, amount);
  }

  /** A fee, or a rebate when negative. */
  fee(currency: string, amount: Decimal): void {
    if (amount.isNegative()) this.#move(FEES, AVAILABLE, currency, amount.neg());
    else this.#charge(FEES, currency, amount);
  }

  /** Profit or loss of a perpetual, and funding: a loss takes margin once nothing is available, and no more than there is. */
  settle(currency: string, profit: Decimal): void {
    if (profit.isNegative()) this.#charge(MARKET, currency, profit.neg());
    else this.receive(currency, profit);
  }

  /** Sets what is held as margin, as far as the account can: the rest is held once it is there (`makeUp`). */
  holdMargin(currency: string, target: Decimal): void {
    this.#marginNeeds.set(currency, target);
    const more = target.minus(this.margin(currency));
    if (more.isNegative()) this.#move(MARGIN, AVAILABLE, currency, more.neg());
    else this.#move(AVAILABLE, MARGIN, currency, smaller(more, this.available(currency)));
    if (this.margin(currency).lt(target)) this.#short.add(currency);
    else this.#short.delete(currency);
  }

  /** Holds what margin lacks of what has come in since: between operations, not within one. */
  makeUp(): void {
    for (const currency of this.#short) this.holdMargin(currency, this.#marginNeeds.get(currency) ?? ZERO);
  }

  margin(currency: string): Decimal {
    return this.#ledger.balance(MARGIN, currency);
  }

  /** What others have paid because the account could not. */
  insured(currency: string): Decimal {
    return this.#ledger.balance(INSURANCE, currency).neg();
  }

  /** Between own accounts; the trading account is one of them. False, and nothing changes, when it does not suffice. */
  transfer(from: AccountType, to: AccountType, currency: string, amount: Decimal): boolean {
    if (this.#ledger.balance(partOf(from), currency).lt(amount)) return false;
    this.#move(partOf(from), partOf(to), currency, amount);
    return true;
  }

  /** What an account other than the trading account has from the start. */
  grantTo(account: AccountType, currency: string, amount: Decimal): void {
    this.#ledger.transfer(OUTSIDE, partOf(account), currency, amount);
  }

  /** Nothing is locked on an account other than the trading account. */
  balancesOf(account: AccountType): readonly Balance[] {
    if (account === 'unified-trading') return this.balances();
    return [...this.#ledger.assetsOf(partOf(account))].map(([currency, amount]) => {
      const total = decimalText(amount);
      return { account, currency, available: total, locked: '0', total };
    });
  }

  balance(currency: string): Balance {
    const available = this.available(currency);
    const locked = this.#locked(currency);
    return {
      account: 'unified-trading',
      currency,
      available: decimalText(available),
      locked: decimalText(locked),
      total: decimalText(sum(available, locked)),
    };
  }

  balances(): readonly Balance[] {
    return [...this.#currencies].map((currency) => this.balance(currency));
  }

  /** By currency, canonical text. */
  totalTexts(): ReadonlyMap<string, string> {
    const totals = new Map<string, string>();
    for (const currency of this.#currencies) totals.set(currency, decimalText(this.total(currency)));
    return totals;
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Balances that changed since the last call. */
  takeChanged(): readonly Balance[] {
    if (this.#changed.size === 0) return [];
    const rows = [...this.#changed].map((currency) => this.balance(currency));
    this.#changed.clear();
    return rows;
  }

  #locked(currency: string): Decimal {
    return sum(this.#ledger.balance(LOCKED, currency), this.margin(currency));
  }

  #charge(to: string, currency: string, amount: Decimal): void {
    const free = smaller(amount, this.available(currency));
    this.#move(AVAILABLE, to, currency, free);
    const fromMargin = smaller(amount.minus(free), this.margin(currency));
    this.#move(MARGIN, to, currency, fromMargin);
    if (!fromMargin.isZero()) this.#short.add(currency);
    this.#move(INSURANCE, to, currency, amount.minus(free).minus(fromMargin));
  }

  #move(from: string, to: string, currency: string, amount: Decimal): void {
    if (amount.isZero()) return;
    if (amount.isNegative()) throw new RangeError(`${from} to ${to}: negative amount ${amount.toFixed()} ${currency}`);
    if (isOwn(from) && this.#ledger.balance(from, currency).lt(amount)) {
      throw new RangeError(`${from}: cannot move ${amount.toFixed()} ${currency} to ${to}, less is there`);
    }
    this.#ledger.transfer(from, to, currency, amount);
    if (!isOwn(from) || !isOwn(to)) this.moves++;
    this.#currencies.add(currency);
    this.#changed.add(currency);
  }
}
