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
import { smaller, type Decimal } from '../../../model/money.ts';
import type { Wallet } from '../../../clearing/accounts.ts';
import type { HouseAccount } from '../../../clearing/pocket.ts';
import type { PositionSlot } from './position-slot.ts';

/** Frees money of the user that spot orders lock in a currency, because a loss needs it. */
export type FreeSpotLocks = (currency: string, now: number) => void;

export class MarginFunds {
  readonly #wallet: Wallet;
  readonly #freeSpotLocks: FreeSpotLocks;
  readonly #short = new Set<string>();

  constructor(wallet: Wallet, freeSpotLocks: FreeSpotLocks) {
    this.#wallet = wallet;
    this.#freeSpotLocks = freeSpotLocks;
  }

  available(currency: string): Decimal {
    return this.#wallet.pocket(currency).available;
  }

  /** Currencies in which less is held than is needed, or may be. */
  get short(): ReadonlySet<string> {
    return this.#short;
  }

  /** What backs cross positions: all but the locks of spot orders and the margins of isolated positions. */
  crossBalance(currency: string): Decimal {
    const { available, margin } = this.#wallet.pocket(currency);
    return available.plus(margin);
  }

  /** Sets what is held for cross positions and orders, as far as the account can; false when that is not all. */
  hold(currency: string, target: Decimal): boolean {
    const suffices = this.#wallet.pocket(currency).hold(target);
    if (suffices) this.#short.delete(currency);
    else this.#short.add(currency);
    return suffices;
  }

  /** Gives an isolated slot its margin, as far as the account can. */
  lockIsolated(slot: PositionSlot, amount: Decimal): void {
    slot.margin = slot.margin.plus(this.#wallet.pocket(slot.currency).setAside(amount));
  }

  releaseIsolated(slot: PositionSlot, amount: Decimal): void {
    this.#wallet.pocket(slot.currency).takeBack(amount);
    slot.margin = slot.margin.minus(amount);
  }

  receive(currency: string, amount: Decimal, from: HouseAccount): void {
    if (!amount.isZero()) this.#wallet.pocket(currency).receive(amount, from);
  }

  /** Takes `amount` from what is available, then from the slot's own margin, then from margin held, then from spot locks. */
  charge(slot: PositionSlot, amount: Decimal, to: HouseAccount): void {
    const { currency } = slot;
    const pocket = this.#wallet.pocket(currency);
    const free = pocket.payFrom('available', amount, to);
    if (free.isZero()) return;
    const needed = this.chargeMargin(slot, free, to);
    const left = pocket.payFrom('margin', needed, to);
    if (!left.eq(needed)) this.#short.add(currency);
    if (left.isZero()) return;
    this.#freeSpotLocks(currency, slot.updatedAt);
    pocket.betweenHouse(pocket.payFrom('available', left, to), 'insurance', to);
  }

  /** Takes from an isolated slot's margin first; answers what it does not cover. */
  chargeMargin(slot: PositionSlot, amount: Decimal, to: HouseAccount): Decimal {
    const taken = smaller(amount, slot.margin);
    slot.margin = slot.margin.minus(taken);
    return this.#wallet.pocket(slot.currency).payFrom('isolated', taken, to).plus(amount.minus(taken));
  }

  /** A negative amount goes the other way. */
  betweenExchangeAccounts(currency: string, amount: Decimal, from: HouseAccount, to: HouseAccount): void {
    this.#wallet.pocket(currency).betweenHouse(amount, from, to);
  }
}
