/**
 * One currency of one wallet. Every movement has a counterpart in another pocket or house account, so each currency
 * sums to zero. No part is ever negative: such a movement returns false or throws, and changes nothing.
 *
 *   total = available + locked + margin + isolated
 */
import type { AccountType, Balance } from '../model/trading/account.ts';
import { decimalText, smaller, sum, ZERO, type Decimal } from '../model/numbers/money.ts';

/**
 * `codes`: unredeemed codes. `lender`: minus the lent overdrafts. `market`: counterparty of trades, profits, losses and
 * funding. `insurance`: receives what liquidations leave, pays what they lack.
 */
export type HouseAccount = 'outside' | 'fees' | 'codes' | 'lender' | 'market' | 'insurance';

export type House = Record<HouseAccount, Decimal>;

export interface PocketOwner {
  readonly userId: string;
  readonly account: AccountType;
}

/** `isMoved`: whether the total changed. */
export type OnMove = (pocket: Pocket, isMoved: boolean) => void;

export class Pocket {
  readonly owner: PocketOwner;
  readonly currency: string;
  readonly house: House;
  available: Decimal = ZERO;
  /** Spot orders, withdrawals, advertisements. */
  locked: Decimal = ZERO;
  /** Cross positions, and orders of all positions. */
  margin: Decimal = ZERO;
  /** Own margin of isolated positions. */
  isolated: Decimal = ZERO;
  /** Counts changes of any part, for cache checks. */
  moves = 0;
  readonly #onMove: OnMove;
  #backing: Decimal | null = null;
  /** Last reported total and its text, reused while the total is the same. */
  #told: Decimal = ZERO;
  #toldText = '0';

  constructor(owner: PocketOwner, currency: string, house: House, onMove: OnMove) {
    this.owner = owner;
    this.currency = currency;
    this.house = house;
    this.#onMove = onMove;
  }

  get unavailable(): Decimal {
    return sum(sum(this.locked, this.margin), this.isolated);
  }

  get total(): Decimal {
    return sum(sum(this.backing, this.locked), this.isolated);
  }

  /** Backing of cross positions: available + margin. Cached, since orders often move money between the two. */
  get backing(): Decimal {
    return (this.#backing ??= sum(this.margin, this.available));
  }

  receive(amount: Decimal, from: HouseAccount): void {
    this.available = this.available.plus(amount);
    this.house[from] = this.house[from].minus(amount);
    this.#moved(true);
  }

  pay(amount: Decimal, to: HouseAccount): boolean {
    if (this.available.lt(amount)) return false;
    this.available = this.available.minus(amount);
    this.#pass(amount, to);
    return true;
  }

  /** Pays from `released` locked money; the difference goes to or comes from available. Throws when short. */
  spend(amount: Decimal, released: Decimal, to: HouseAccount): void {
    const available = sum(this.available, released).minus(amount);
    if (this.locked.lt(released) || available.isNegative()) throw this.#lacks('spend', amount);
    this.available = available;
    this.locked = this.locked.minus(released);
    this.#pass(amount, to);
  }

  /** False when available does not suffice. */
  moveTo(other: Pocket, amount: Decimal): boolean {
    if (this.available.lt(amount)) return false;
    this.available = this.available.minus(amount);
    other.available = other.available.plus(amount);
    this.#moved(true);
    other.#moved(true);
    return true;
  }

  lock(amount: Decimal): boolean {
    if (this.available.lt(amount)) return false;
    this.available = this.available.minus(amount);
    this.locked = this.locked.plus(amount);
    this.#moved(false);
    return true;
  }

  unlock(amount: Decimal): void {
    if (amount.isZero()) return;
    if (this.locked.lt(amount)) throw this.#lacks('release', amount);
    this.locked = this.locked.minus(amount);
    this.available = this.available.plus(amount);
    this.#moved(false);
  }

  /** Sets the held margin, limited by available money; false when short. */
  hold(target: Decimal): boolean {
    const { backing } = this;
    const suffices = backing.gte(target);
    const held = suffices ? target : backing;
    if (!held.eq(this.margin)) {
      this.available = backing.minus(held);
      this.margin = held;
      this.#moved(false);
      this.#backing = backing;
    }
    return suffices;
  }

  /** Moves available money into isolated margin; returns the amount moved. */
  setAside(amount: Decimal): Decimal {
    const taken = smaller(amount, this.available);
    this.#regroup(taken.neg(), taken);
    return taken;
  }

  takeBack(amount: Decimal): void {
    if (this.isolated.lt(amount)) throw this.#lacks('withdraw', amount);
    this.#regroup(amount, amount.neg());
  }

  /** Pays as much as one part allows; returns the rest. */
  payFrom(part: 'available' | 'margin' | 'isolated', amount: Decimal, to: HouseAccount): Decimal {
    const paid = smaller(amount, this[part]);
    if (paid.isZero()) return amount;
    this[part] = this[part].minus(paid);
    this.#pass(paid, to);
    return amount.minus(paid);
  }

  /** A negative amount goes the other way. */
  betweenHouse(amount: Decimal, from: HouseAccount, to: HouseAccount): void {
    if (amount.isZero()) return;
    this.house[from] = this.house[from].minus(amount);
    this.house[to] = this.house[to].plus(amount);
  }

  /** Reduces scales that cancelled quotients have widened; narrow decimals are faster. */
  narrow(): void {
    this.available = this.available.narrowed();
    this.margin = this.margin.narrowed();
    this.#backing = null;
    this.house.market = this.house.market.narrowed();
  }

  row(): Balance {
    const { total } = this;
    if (total !== this.#told) this.#toldText = decimalText(total);
    this.#told = total;
    const { unavailable } = this;
    return Object.freeze({
      account: this.owner.account,
      currency: this.currency,
      available: unavailable.isZero() ? this.#toldText : decimalText(this.available),
      locked: decimalText(unavailable),
      total: this.#toldText,
    });
  }

  #pass(amount: Decimal, to: HouseAccount): void {
    this.house[to] = sum(this.house[to], amount);
    this.#moved(true);
  }

  #regroup(available: Decimal, isolated: Decimal): void {
    if (isolated.isZero()) return;
    this.available = this.available.plus(available);
    this.isolated = this.isolated.plus(isolated);
    this.#moved(false);
  }

  #moved(isTotal: boolean): void {
    this.moves++;
    this.#backing = null;
    this.#onMove(this, isTotal);
  }

  #lacks(verb: string, amount: Decimal): RangeError {
    const { userId, account } = this.owner;
    return new RangeError(`${userId}/${account}: cannot ${verb} ${amount.toFixed()} ${this.currency}, less is there`);
  }
}
