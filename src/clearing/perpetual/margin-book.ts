/**
 * Margin of one account in one settlement currency. Cross positions share the balance; an isolated one has only its own
 * margin. The needs of all slots are one running sum.
 *
 *   pocket.margin = Σ need, limited by available money      pocket.isolated = Σ owned
 */
import type { Instrument } from '../../model/market/instrument.ts';
import { smaller, sum, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { marginState, type MarginState, type MarkedPosition } from '../margin/cross-account.ts';
import { unrealizedOf, type Exposure } from '../margin/exposure.ts';
import type { RiskTiers } from '../margin/risk-tiers.ts';
import type { HouseAccount, Pocket } from '../pocket.ts';
import type { PerpetualRules } from './rules.ts';

export interface PerpetualMarket {
  readonly instrument: Instrument;
  readonly tiers: RiskTiers;
  readonly mark: Decimal | null;
  /** NaN before the first. */
  readonly markNumber: number;
}

/** What the book asks of a position (`position-slot.ts`). */
export interface MarginSlot {
  readonly holding: { readonly isIsolated: boolean };
  readonly market: PerpetualMarket;
  readonly exposure: Exposure;
  readonly isOpen: boolean;
  readonly need: Decimal;
  readonly margin: Decimal;
  readonly marginNumber: number;
  readonly quantityNumber: number;
  readonly costNumber: number;
  readonly updatedAt: number;
  owned: Decimal;
}

export interface Leg<Slot> extends MarkedPosition {
  readonly slot: Slot;
}

export type FreeSpotLocks = (currency: string, now: number) => void;

/** Equity above this multiple of maintenance is safe from rounding in the quick check. */
const SAFE_MULTIPLE = 1.5;

export class MarginBook<Slot extends MarginSlot> {
  readonly pocket: Pocket;
  readonly rules: PerpetualRules;
  readonly slots: Slot[] = [];
  /** Losses may have left less than must be held. */
  isShort = false;
  readonly #freeSpotLocks: FreeSpotLocks | null;
  #need: Decimal = ZERO;
  #open: readonly Slot[] = [];
  /** Set when only one symbol is open. */
  #market: PerpetualMarket | null = null;
  /** Nothing is due at marks in this range until money or a slot moves. */
  #quietFrom = Infinity;
  #quietTo = -Infinity;
  #quietMoves = 0;
  /** Balance behind the cross positions. */
  #balance: Decimal = ZERO;
  #balanceNumber = 0;

  constructor(pocket: Pocket, rules: PerpetualRules, freeSpotLocks: FreeSpotLocks | null) {
    this.pocket = pocket;
    this.rules = rules;
    this.#freeSpotLocks = freeSpotLocks;
  }

  get currency(): string {
    return this.pocket.currency;
  }

  get open(): readonly Slot[] {
    return this.#open;
  }

  get need(): Decimal {
    return this.#need;
  }

  join(slot: Slot): void {
    this.slots.push(slot);
  }

  renew(slot: Slot, before: Decimal): void {
    const { need } = slot;
    if (this.slots.length === 1) this.#need = need;
    else if (need !== before) this.#need = this.#need.minus(before).plus(need);
    if (slot.isOpen !== this.#open.includes(slot)) {
      this.#open = this.slots.filter((each) => each.isOpen);
      const market = this.#open[0]?.market ?? null;
      this.#market = this.#open.every((each) => each.market === market) ? market : null;
    }
    this.#forgetQuiet();
  }

  /** Holds the present need as far as money allows; false when short. */
  rehold(): boolean {
    this.isShort = !this.pocket.hold(this.#need);
    return !this.isShort;
  }

  /** Narrows scales after a position ended and its quotients cancelled out. */
  narrow(): void {
    this.#need = this.#need.narrowed();
    this.pocket.narrow();
  }

  /** Available, less the unrealised loss of cross positions. */
  free(): Decimal {
    const lost = this.crossLoss();
    return lost.isZero() ? this.pocket.available : this.pocket.available.minus(lost);
  }

  crossLoss(): Decimal {
    let unrealized = ZERO;
    for (const { holding, exposure, market } of this.#open) {
      const { mark } = market;
      if (!holding.isIsolated && mark !== null) unrealized = unrealized.plus(unrealizedOf(exposure, mark));
    }
    return unrealized.isNegative() ? unrealized.neg() : ZERO;
  }

  /** Everything except isolated margin; spot locks count by rule `spotLocksBack`. */
  crossBalance(): Decimal {
    const { backing, locked } = this.pocket;
    return this.rules.spotLocksBack ? sum(backing, locked) : backing;
  }

  crossLegs(): Leg<Slot>[] {
    const legs: Leg<Slot>[] = [];
    for (const slot of this.#open) {
      const leg = slot.holding.isIsolated ? undefined : this.legOf(slot);
      if (leg !== undefined) legs.push(leg);
    }
    return legs;
  }

  crossState(): MarginState {
    return marginState(this.crossBalance(), this.crossLegs());
  }

  isolatedState(slot: Slot): MarginState {
    const leg = this.legOf(slot);
    return marginState(slot.margin, leg === undefined ? [] : [leg]);
  }

  legOf(slot: Slot): Leg<Slot> | undefined {
    const { mark, tiers } = slot.market;
    return mark === null ? undefined : { slot, exposure: slot.exposure, mark, tiers };
  }

  receive(amount: Decimal, from: HouseAccount): void {
    if (!amount.isZero()) this.pocket.receive(amount, from);
  }

  /** Takes from available, then the slot's own margin, then held margin, then spot locks. */
  charge(slot: Slot, amount: Decimal, to: HouseAccount): void {
    if (amount.isZero()) return;
    const { pocket } = this;
    const needed = this.chargeOwned(slot, pocket.payFrom('available', amount, to), to);
    if (needed.isZero()) return;
    let left = pocket.payFrom('margin', needed, to);
    this.isShort ||= left !== needed;
    if (left.isZero()) return;
    if (this.#freeSpotLocks !== null) {
      this.#freeSpotLocks(this.currency, slot.updatedAt);
      left = pocket.payFrom('available', left, to);
    }
    pocket.betweenHouse(left, 'insurance', to);
  }

  /** Takes from an isolated slot's own margin; returns the rest. */
  chargeOwned(slot: Slot, amount: Decimal, to: HouseAccount): Decimal {
    const taken = smaller(amount, slot.owned);
    if (taken.isZero()) return amount;
    slot.owned = slot.owned.minus(taken);
    this.pocket.payFrom('isolated', taken, to);
    return amount.minus(taken);
  }

  endow(slot: Slot, amount: Decimal): void {
    slot.owned = sum(slot.owned, this.pocket.setAside(amount));
  }

  takeBack(slot: Slot, amount: Decimal): void {
    this.pocket.takeBack(amount);
    slot.owned = slot.owned.minus(amount);
  }

  /** No position shares its collateral with one of another symbol. */
  get isOfOneMarket(): boolean {
    return this.#open.length === 0 || this.#market !== null;
  }

  /** Quick check: false where nothing can be due. */
  mayBeDue(): boolean {
    if (this.#open.length === 0) return false;
    if (this.#market === null) return !this.#isSafe();
    if (this.pocket.moves !== this.#quietMoves) this.#forgetQuiet();
    const mark = this.#market.markNumber;
    if (Number.isNaN(mark) || (mark >= this.#quietFrom && mark <= this.#quietTo)) return false;
    // Equity is linear and maintenance convex in the mark: not due at two marks, not due between.
    this.#quietFrom = Math.min(this.#quietFrom, mark);
    this.#quietTo = Math.max(this.#quietTo, mark);
    return !this.#isSafe();
  }

  /** Nothing can be due at marks from `from` to `to`, as long as money and slots stay. */
  isSafeBetween(from: number, to: number): boolean {
    return this.#open.length === 0 || (this.#market !== null && this.#isSafe(from) && this.#isSafe(to));
  }

  #forgetQuiet(): void {
    this.#quietMoves = this.pocket.moves;
    this.#quietFrom = Infinity;
    this.#quietTo = -Infinity;
  }

  /** In doubles, with the highest maintenance rate. Default: at the present marks. */
  #isSafe(supposed = Number.NaN): boolean {
    let equity = 0;
    let maintenance = 0;
    let hasCross = false;
    for (const { market, holding, marginNumber, quantityNumber, costNumber } of this.#open) {
      const mark = Number.isNaN(supposed) ? market.markNumber : supposed;
      if (Number.isNaN(mark)) continue;
      const result = quantityNumber * mark - costNumber;
      const least = Math.abs(quantityNumber) * mark * market.tiers.rateMax;
      if (holding.isIsolated) {
        if (!(marginNumber + result > least * SAFE_MULTIPLE)) return false;
        continue;
      }
      hasCross = true;
      equity += result;
      maintenance += least;
    }
    return !hasCross || this.#crossNumber() + equity > maintenance * SAFE_MULTIPLE;
  }

  #crossNumber(): number {
    const balance = this.crossBalance();
    if (balance !== this.#balance) this.#balanceNumber = balance.toNumber();
    this.#balance = balance;
    return this.#balanceNumber;
  }
}
