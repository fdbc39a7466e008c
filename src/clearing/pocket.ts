/**
 * One currency of one wallet (rules A2, A4): what is available, what is locked for orders and applications, and what is
 * held as margin. Every movement has its other side in another pocket or in an account of the exchange, so each currency
 * sums to zero. No part is ever negative: what could make it so answers false or throws, and changes nothing.
 *
 *   total = available + locked + margin + isolated
 */
import type { AccountType, Balance } from '../model/account.ts';
import { decimalText, smaller, sum, ZERO, type Decimal } from '../model/money.ts';

/**
 * Accounts of the exchange itself. `codes`: money in codes that nobody has redeemed yet; `lender`: below zero by what is
 * lent on overdrafts; `market`: stands on the other side of trades, profits come from it, losses and funding go to it;
 * `insurance`: takes what liquidations leave, and pays what they lack.
 */
export type HouseAccount = 'outside' | 'fees' | 'codes' | 'lender' | 'market' | 'insurance';

/** The exchange's own accounts in one currency. */
export type House = Record<HouseAccount, Decimal>;

export interface PocketOwner {
  readonly userId: string;
  readonly account: AccountType;
}

/** `isMoved`: the total has changed, not only how it is divided. */
export type OnMove = (pocket: Pocket, isMoved: boolean) => void;

export class Pocket {
  readonly owner: PocketOwner;
  readonly currency: string;
  readonly house: House;
  /** Changed by this class alone, like the other parts. */
  available: Decimal = ZERO;
  /** Of spot orders, withdrawals, advertisements. */
  locked: Decimal = ZERO;
  /** Held for cross positions and for the orders of all positions. */
  margin: Decimal = ZERO;
  /** Margin that isolated positions own. */
  isolated: Decimal = ZERO;
  /** Counts changes of any part, so that others can tell whether a figure of theirs is old. */
  moves = 0;
  readonly #onMove: OnMove;
  /** Available and margin together; null: not known since they changed. */
  #backing: Decimal | null = null;
  /** The total that was told last, and its text: what only divides it differently tells it again. */
  #told: Decimal = ZERO;
  #toldText = '0';

  constructor(owner: PocketOwner, currency: string, house: House, onMove: OnMove) {
    this.owner = owner;
    this.currency = currency;
    this.house = house;
    this.#onMove = onMove;
  }

  /** All that is not available. */
  get unavailable(): Decimal {
    return sum(sum(this.locked, this.margin), this.isolated);
  }

  get total(): Decimal {
    return sum(sum(this.backing, this.locked), this.isolated);
  }

  /** What backs cross positions: available and margin. Kept, since orders move money from one to the other all the time. */
  get backing(): Decimal {
    return (this.#backing ??= sum(this.margin, this.available));
  }

  receive(amount: Decimal, from: HouseAccount): void {
    this.available = this.available.plus(amount);
    this.house[from] = this.house[from].minus(amount);
    this.#moved(true);
  }

  /** False when what is available does not suffice. */
  pay(amount: Decimal, to: HouseAccount): boolean {
    if (this.available.lt(amount)) return false;
    this.available = this.available.minus(amount);
    this.#pass(amount, to);
    return true;
  }

  /** Pays for what `released` was locked: the rest of it is available again, what it lacks is taken from there. */
  spend(amount: Decimal, released: Decimal, to: HouseAccount): void {
    const available = sum(this.available, released).minus(amount);
    if (this.locked.lt(released) || available.isNegative()) throw this.#lacks('spend', amount);
    this.available = available;
    this.locked = this.locked.minus(released);
    this.#pass(amount, to);
  }

  /** Available money to another pocket of the currency; false when it does not suffice. */
  moveTo(other: Pocket, amount: Decimal): boolean {
    if (this.available.lt(amount)) return false;
    this.available = this.available.minus(amount);
    other.available = other.available.plus(amount);
    this.#moved(true);
    other.#moved(true);
    return true;
  }

  /** False when what is available does not suffice. */
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

  /** Sets what is held as margin, as far as there is money for it; false when that is not all. */
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

  /** Gives an isolated position margin of its own, as far as there is money for it; answers how much. */
  setAside(amount: Decimal): Decimal {
    const taken = smaller(amount, this.available);
    this.#regroup(taken.neg(), taken);
    return taken;
  }

  takeBack(amount: Decimal): void {
    if (this.isolated.lt(amount)) throw this.#lacks('take back', amount);
    this.#regroup(amount, amount.neg());
  }

  /** Pays what can be paid of `amount` from one part; answers what is left to pay. */
  payFrom(part: 'available' | 'margin' | 'isolated', amount: Decimal, to: HouseAccount): Decimal {
    const paid = smaller(amount, this[part]);
    if (paid.isZero()) return amount;
    this[part] = this[part].minus(paid);
    this.#pass(paid, to);
    return amount.minus(paid);
  }

  /** Between accounts of the exchange; a negative amount goes the other way. */
  betweenHouse(amount: Decimal, from: HouseAccount, to: HouseAccount): void {
    if (amount.isZero()) return;
    this.house[from] = this.house[from].minus(amount);
    this.house[to] = this.house[to].plus(amount);
  }

  /** The same amounts at their smallest scales, which are quicker: quotients that widened them have cancelled out. */
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
    return Object.freeze({
      account: this.owner.account,
      currency: this.currency,
      available: decimalText(this.available),
      locked: decimalText(this.unavailable),
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
