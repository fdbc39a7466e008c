/**
 * Margin of one account's perpetuals (rule A3): what they hold of each currency, what is left for new ones, and which
 * positions must go. Cross positions of a currency share its balance; an isolated one has its own margin and no more.
 * A first look in plain numbers keeps the exact test to the neighbourhood of a liquidation.
 */
import { greater, sum, ZERO, type Decimal } from '../model/money.ts';
import {
  bankruptcyCollaterals,
  liquidationCollateral,
  marginState,
  type MarkedPosition,
} from '../clearing/margin/cross-account.ts';
import { unrealizedOf } from '../clearing/margin/exposure.ts';
import { bankruptcyPrice, liquidationPrice } from '../clearing/margin/liquidation.ts';
import type { PerpetualDesk } from './perpetual-desk.ts';
import type { PerpetualSide } from './perpetual-side.ts';
import type { Purse } from './purse.ts';

/** A position that must go, and the price at which nothing is left of its collateral. */
export interface DueClose {
  readonly desk: PerpetualDesk;
  readonly side: PerpetualSide;
  readonly price: Decimal;
}

/** Positions that go together: all cross positions of a currency, or one isolated one. */
export interface DueLiquidation {
  readonly currency: string;
  readonly marginType: 'cross' | 'isolated';
  readonly closes: readonly DueClose[];
  /** Equity and maintenance margin when it was found, for the reason. */
  readonly equity: Decimal;
  readonly maintenance: Decimal;
}

interface Leg extends MarkedPosition {
  readonly desk: PerpetualDesk;
  readonly side: PerpetualSide;
}

/** Equity this many times the maintenance margin is out of reach of any rounding of the first look. */
const SAFE_MULTIPLE = 1.5;

export class MarginPool {
  readonly #purse: Purse;
  readonly #feeRate: Decimal;
  readonly #needs = new Map<string, Map<string, Decimal>>();
  readonly #desks: PerpetualDesk[] = [];
  /** Those with an open position, as of the last `set`: asked at every market event. */
  #open: readonly PerpetualDesk[] = [];
  /** While one desk alone is open nothing is due at this mark of it, unless money has moved or `set` was called since. */
  #quietMark = Number.NaN;
  #quietMoves = 0;
  readonly #totals = new Map<string, { moves: number; total: number }>();

  constructor(purse: Purse, liquidationFee: Decimal = ZERO) {
    this.#purse = purse;
    this.#feeRate = liquidationFee;
  }

  get liquidationFee(): Decimal {
    return this.#feeRate;
  }

  join(desk: PerpetualDesk): void {
    this.#desks.push(desk);
  }

  /** A position or an order has changed, and with it what it needs. */
  set(currency: string, symbol: string, need: Decimal): void {
    this.#open = this.#desks.filter((desk) => desk.isOpen);
    this.#quietMark = Number.NaN;
    let needs = this.#needs.get(currency);
    if (needs === undefined) {
      needs = new Map();
      this.#needs.set(currency, needs);
    }
    needs.set(symbol, need);
    let held = ZERO;
    for (const each of needs.values()) held = sum(held, each);
    this.#purse.holdMargin(currency, held);
  }

  /** Holds what losses have left margin without, as far as money has come in since. */
  makeUp(): void {
    this.#purse.makeUp();
  }

  /** What may back a new order: what is available less what the open cross positions have lost so far. */
  free(currency: string): Decimal {
    let lost = ZERO;
    for (const { exposure, mark } of this.#crossLegs(currency)) lost = lost.plus(unrealizedOf(exposure, mark));
    const available = this.#purse.available(currency);
    return lost.isNegative() ? available.plus(lost) : available;
  }

  liquidationPrice(desk: PerpetualDesk, side: PerpetualSide): Decimal | null {
    if (!side.isOpen) return null;
    const { tiers, marginType } = desk.terms;
    let collateral = side.margin;
    if (marginType === 'cross') {
      const { settle } = desk.instrument;
      const legs = this.#crossLegs(settle);
      const own = legs.find((leg) => leg.side === side);
      if (own === undefined) return null;
      collateral = liquidationCollateral(this.#crossBalance(settle), own, legs);
    }
    return liquidationPrice(side.exposure, collateral, tiers);
  }

  /** What must be liquidated now, at the marks as they are. Cheap while everything is far from it. */
  due(): DueLiquidation | null {
    const open = this.#open;
    if (open.length === 0) return null;
    const mark = open.length === 1 ? open[0]!.markNumber : Number.NaN;
    const { moves } = this.#purse;
    if (mark === this.#quietMark && moves === this.#quietMoves) return null;
    for (const desk of open) {
      if (this.#isSafe(desk)) continue;
      const found =
        desk.terms.marginType === 'cross' ? this.#dueCross(desk.instrument.settle) : dueIsolated(desk, this);
      if (found !== null) return found;
    }
    this.#quietMark = mark;
    this.#quietMoves = moves;
    return null;
  }

  /** In numbers: every maintenance margin at the highest rate of its tiers, with a wide berth. */
  #isSafe({ terms, instrument, sides, markNumber }: PerpetualDesk): boolean {
    if (terms.marginType === 'isolated') return sides.every((side) => isSafeAlone(side, terms, markNumber));
    const { settle } = instrument;
    let equity = this.#totalNumber(settle);
    let maintenance = 0;
    for (const desk of this.#desks) {
      if (desk.instrument.settle !== settle || !desk.isOpen) continue;
      const mark = desk.markNumber;
      if (Number.isNaN(mark)) continue;
      if (desk.terms.marginType === 'isolated') {
        for (const side of desk.sides) equity -= Math.abs(side.costNumber) / desk.terms.leverage;
        continue;
      }
      for (const { quantityNumber, costNumber } of desk.sides) {
        equity += quantityNumber * mark - costNumber;
        maintenance += Math.abs(quantityNumber) * mark * desk.terms.tiers.rateMax;
      }
    }
    return equity > maintenance * SAFE_MULTIPLE;
  }

  #dueCross(currency: string): DueLiquidation | null {
    const legs = this.#crossLegs(currency);
    const balance = this.#crossBalance(currency);
    const { equity, maintenance, isLiquidated } = marginState(balance, legs);
    if (!isLiquidated) return null;
    const collaterals = bankruptcyCollaterals(balance, legs);
    const closes = legs.map((leg, index) => closeOf(leg, collaterals[index] ?? ZERO, this.#feeRate));
    return { currency, marginType: 'cross', closes, equity, maintenance };
  }

  /** Everything of the currency that is not the margin of an isolated position. */
  #crossBalance(currency: string): Decimal {
    let balance = this.#purse.total(currency);
    for (const { instrument, terms, sides } of this.#desks) {
      if (instrument.settle !== currency || terms.marginType !== 'isolated') continue;
      for (const side of sides) balance = balance.minus(side.margin);
    }
    return balance;
  }

  #crossLegs(currency: string): readonly Leg[] {
    return this.#desks.flatMap((desk) =>
      desk.instrument.settle === currency && desk.terms.marginType === 'cross' ? legsOf(desk) : [],
    );
  }

  #totalNumber(currency: string): number {
    const { moves } = this.#purse;
    let kept = this.#totals.get(currency);
    if (kept?.moves !== moves) {
      kept = { moves, total: this.#purse.total(currency).toNumber() };
      this.#totals.set(currency, kept);
    }
    return kept.total;
  }
}

function legsOf(desk: PerpetualDesk): readonly Leg[] {
  const { mark } = desk;
  if (mark === null) return [];
  const { tiers } = desk.terms;
  return desk.sides.flatMap((side) => (side.isOpen ? [{ desk, side, exposure: side.exposure, mark, tiers }] : []));
}

function dueIsolated(desk: PerpetualDesk, { liquidationFee }: MarginPool): DueLiquidation | null {
  for (const leg of legsOf(desk)) {
    const { margin } = leg.side;
    const { equity, maintenance, isLiquidated } = marginState(margin, [leg]);
    if (!isLiquidated) continue;
    const closes = [closeOf(leg, margin, liquidationFee)];
    return { currency: desk.instrument.settle, marginType: 'isolated', closes, equity, maintenance };
  }
  return null;
}

/** No price is below one tick: what the collateral covers to the last is still closed by an order. */
function closeOf({ desk, side, exposure }: Leg, collateral: Decimal, feeRate: Decimal): DueClose {
  const price = bankruptcyPrice(exposure, collateral, feeRate);
  return { desk, side, price: greater(price, desk.instrument.exactPrice(1)) };
}

function isSafeAlone(side: PerpetualSide, terms: PerpetualDesk['terms'], mark: number): boolean {
  const { quantityNumber, costNumber } = side;
  if (quantityNumber === 0 || Number.isNaN(mark)) return true;
  const equity = Math.abs(costNumber) / terms.leverage + quantityNumber * mark - costNumber;
  return equity > Math.abs(quantityNumber) * mark * terms.tiers.rateMax * SAFE_MULTIPLE;
}
