/**
 * A user's money for futures: the settlement currency of the unified-trading wallet, shared with spot. Margin is locked in
 * the wallet's locked part beside the locks of spot orders; `held` says how much of it is margin of cross positions and of
 * orders, each isolated slot how much is its own. So no money is used twice:
 *
 *   wallet.locked = locks of spot orders + held + Σ margins of isolated slots
 *
 * Profits come from the market account, which stands on the other side of every position, losses go there; losses beyond
 * all that futures may use are the insurance's. No part is ever negative.
 */
import { type Decimal, ZERO, smaller } from '../../../model/money.ts';
import { INSURANCE, type Accounts, type Wallet } from '../accounts.ts';
import type { PositionSlot } from './position-slot.ts';

/** Frees money of the user that spot orders lock in a currency, because a loss needs it. */
export type FreeSpotLocks = (currency: string, now: number) => void;

export class MarginFunds {
  readonly #accounts: Accounts;
  readonly #wallet: Wallet;
  readonly #freeSpotLocks: FreeSpotLocks;
  readonly #held = new Map<string, Decimal>();
  readonly #short = new Set<string>();

  constructor(accounts: Accounts, wallet: Wallet, freeSpotLocks: FreeSpotLocks) {
    this.#accounts = accounts;
    this.#wallet = wallet;
    this.#freeSpotLocks = freeSpotLocks;
  }

  available(currency: string): Decimal {
    return this.#accounts.available(this.#wallet, currency);
  }

  /** Currencies in which less is held than is needed, or may be. */
  get short(): ReadonlySet<string> {
    return this.#short;
  }

  /** What backs cross positions: all but the locks of spot orders and the margins of isolated positions. */
  crossBalance(currency: string): Decimal {
    return this.available(currency).plus(this.#heldOf(currency));
  }

  /** Sets what is held for cross positions and orders, as far as the account can; false when that is not all. */
  hold(currency: string, target: Decimal): boolean {
    const held = this.#heldOf(currency);
    const possible = smaller(target, held.plus(this.available(currency)));
    if (possible.gt(held)) this.#accounts.lock(this.#wallet, currency, possible.minus(held));
    else this.#accounts.unlock(this.#wallet, currency, held.minus(possible));
    this.#held.set(currency, possible);
    const suffices = possible.eq(target);
    if (suffices) this.#short.delete(currency);
    else this.#short.add(currency);
    return suffices;
  }

  /** Gives an isolated slot its margin, as far as the account can. */
  lockIsolated(slot: PositionSlot, amount: Decimal): void {
    const taken = smaller(amount, this.available(slot.currency));
    if (taken.isZero()) return;
    this.#accounts.lock(this.#wallet, slot.currency, taken);
    slot.margin = slot.margin.plus(taken);
  }

  releaseIsolated(slot: PositionSlot, amount: Decimal): void {
    if (amount.isZero()) return;
    this.#accounts.unlock(this.#wallet, slot.currency, amount);
    slot.margin = slot.margin.minus(amount);
  }

  receive(currency: string, amount: Decimal, from: string): void {
    if (!amount.isZero()) this.#accounts.credit(this.#wallet, currency, amount, from);
  }

  /** Takes `amount` from what is available, then from the slot's own margin, then from margin held, then from spot locks. */
  charge(slot: PositionSlot, amount: Decimal, to: string): void {
    const { currency } = slot;
    let left = this.#payAvailable(currency, amount, to);
    if (left.isZero()) return;
    left = this.chargeMargin(slot, left, to);
    const fromHeld = smaller(left, this.#heldOf(currency));
    if (!fromHeld.isZero()) {
      this.#accounts.payLocked(this.#wallet, currency, fromHeld, to);
      this.#held.set(currency, this.#heldOf(currency).minus(fromHeld));
      this.#short.add(currency);
      left = left.minus(fromHeld);
    }
    if (left.isZero()) return;
    this.#freeSpotLocks(currency, slot.updatedAt);
    left = this.#payAvailable(currency, left, to);
    this.betweenExchangeAccounts(currency, left, INSURANCE, to);
  }

  /** Takes from an isolated slot's margin first; answers what it does not cover. */
  chargeMargin(slot: PositionSlot, amount: Decimal, to: string): Decimal {
    const taken = smaller(amount, slot.margin);
    if (taken.isZero()) return amount;
    this.#accounts.payLocked(this.#wallet, slot.currency, taken, to);
    slot.margin = slot.margin.minus(taken);
    return amount.minus(taken);
  }

  /** A negative amount goes the other way. */
  betweenExchangeAccounts(currency: string, amount: Decimal, from: string, to: string): void {
    if (amount.isZero()) return;
    this.#accounts.settle(
      [
        { account: from, asset: currency, amount: amount.neg() },
        { account: to, asset: currency, amount },
      ],
      [],
    );
  }

  #payAvailable(currency: string, amount: Decimal, to: string): Decimal {
    const paid = smaller(amount, this.available(currency));
    if (!paid.isZero()) this.#accounts.pay(this.#wallet, currency, paid, to);
    return amount.minus(paid);
  }

  #heldOf(currency: string): Decimal {
    return this.#held.get(currency) ?? ZERO;
  }
}
