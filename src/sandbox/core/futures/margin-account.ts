/**
 * One user's futures: mode, settings per symbol, position slots, closed positions, and what all of them need as margin.
 * After every change of a position, an order or a setting `rehold` locks what is needed now. Refusals are the callers':
 * this file says what something would need, `trading.ts` and `futures-settlement.ts` decide.
 */
import type { VenuePosition } from '../../../model/account.ts';
import { type Decimal, ZERO, greater } from '../../../model/money.ts';
import type { PositionSide, Side } from '../../../model/order.ts';
import {
  bankruptcyCollaterals,
  liquidationCollateral,
  marginState,
  type MarginState,
  type MarkedPosition,
} from '../../../clearing/margin/cross-account.ts';
import { unrealizedOf } from '../../../clearing/margin/exposure.ts';
import { initialMargin, type OrderExposure } from '../../../clearing/margin/initial-margin.ts';
import { liquidationPrice } from '../../../clearing/margin/liquidation.ts';
import { HistoryLog } from '../history-log.ts';
import type { Trader } from '../order-record.ts';
import type { PerpetualData } from '../perpetuals.ts';
import type { MarginFunds } from './margin-funds.ts';
import { PositionSlot, type ClosedPosition, type SlotTerms } from './position-slot.ts';

export type PositionMode = 'one-way' | 'hedge';
export type MarginType = VenuePosition['marginType'];

const sidesOfMode: Readonly<Record<PositionMode, readonly PositionSide[]>> = {
  'one-way': ['both'],
  hedge: ['long', 'short'],
};

export class MarginAccount {
  readonly trader: Trader;
  readonly funds: MarginFunds;
  mode: PositionMode = 'one-way';
  /** In order of closing. */
  readonly closed: HistoryLog<ClosedPosition>;
  readonly #leverageDefault: number;
  readonly #terms = new Map<string, SlotTerms>();
  readonly #slots = new Map<string, PositionSlot>();

  constructor(
    trader: Trader,
    funds: MarginFunds,
    { leverage, historyMax }: { readonly leverage: number; readonly historyMax: number },
  ) {
    this.trader = trader;
    this.funds = funds;
    this.#leverageDefault = leverage;
    this.closed = new HistoryLog(historyMax, () => true);
  }

  slot(data: PerpetualData, side: PositionSide): PositionSlot {
    const key = `${data.market.instrument.symbol}/${side}`;
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      slot = new PositionSlot(data, side);
      this.#slots.set(key, slot);
    }
    return slot;
  }

  /** The slots of a symbol in the present mode. */
  slotsOf(data: PerpetualData): PositionSlot[] {
    return sidesOfMode[this.mode].map((side) => this.slot(data, side));
  }

  openSlots(): PositionSlot[] {
    return [...this.#slots.values()].filter((slot) => slot.isOpen);
  }

  /** Whether positions or orders stand, in one symbol or anywhere. */
  isEngaged(symbol?: string): boolean {
    return [...this.#slots.values()].some(
      (slot) => (symbol === undefined || slot.symbol === symbol) && (slot.isOpen || slot.orders.size > 0),
    );
  }

  allows(side: PositionSide): boolean {
    return sidesOfMode[this.mode].includes(side);
  }

  termsOf(symbol: string): SlotTerms {
    return this.#terms.get(symbol) ?? { leverage: this.#leverageDefault, marginType: 'cross' };
  }

  setTerms(symbol: string, terms: SlotTerms): void {
    this.#terms.set(symbol, terms);
  }

  /** Margin that cross positions and orders of a currency need. */
  need(currency: string): Decimal {
    let need = ZERO;
    for (const slot of this.slotsIn(currency)) need = need.plus(this.needOf(slot, this.termsOf(slot.symbol)));
    return need;
  }

  /** The same of one slot at the given terms. */
  needOf(slot: PositionSlot, { leverage, marginType }: SlotTerms): Decimal {
    const { exposure } = slot;
    const [buys, sells] = [slot.opening('buy'), slot.opening('sell')];
    const orders = buys.gt(sells) ? buys : sells;
    const ofOrders = orders.isZero() ? ZERO : initialMargin(orders, leverage);
    const isCross = marginType === 'cross' && slot.isOpen;
    return isCross ? initialMargin(exposure.cost, leverage).plus(ofOrders) : ofOrders;
  }

  /** False when losses have taken what is needed. */
  rehold(currency: string): boolean {
    return this.funds.hold(currency, this.need(currency));
  }

  /** What may be used to open: what is available, less what cross positions have lost so far. */
  spendable(currency: string): Decimal {
    return this.funds.available(currency).minus(this.crossLoss(currency));
  }

  /** What cross positions have lost so far, zero or above. */
  crossLoss(currency: string): Decimal {
    let unrealized = ZERO;
    for (const { exposure, mark } of this.#marked(this.crossSlots(currency))) {
      unrealized = unrealized.plus(unrealizedOf(exposure, mark));
    }
    return unrealized.isNegative() ? unrealized.neg() : ZERO;
  }

  slotsIn(currency: string): PositionSlot[] {
    return [...this.#slots.values()].filter((slot) => slot.currency === currency);
  }

  crossSlots(currency: string): PositionSlot[] {
    return this.openSlots().filter((slot) => slot.currency === currency && !this.isIsolated(slot));
  }

  isIsolated(slot: PositionSlot): boolean {
    return this.termsOf(slot.symbol).marginType === 'isolated';
  }

  /** Of the cross positions of a currency together. */
  crossState(currency: string): MarginState {
    return marginState(this.funds.crossBalance(currency), this.#marked(this.crossSlots(currency)));
  }

  isolatedState(slot: PositionSlot): MarginState {
    return marginState(slot.margin, this.#marked([slot]));
  }

  /** What each of the slots that are liquidated together can lose from its cost. */
  bankruptcyCollaterals(slots: readonly PositionSlot[]): readonly Decimal[] {
    const [first] = slots;
    if (first === undefined) return [];
    const balance = this.isIsolated(first) ? first.margin : this.funds.crossBalance(first.currency);
    return bankruptcyCollaterals(balance, this.#marked(slots));
  }

  report(slot: PositionSlot): VenuePosition {
    const terms = this.termsOf(slot.symbol);
    if (!slot.isOpen) return slot.report(terms, ZERO, null);
    const isIsolated = terms.marginType === 'isolated';
    const margin = isIsolated ? slot.margin : initialMargin(slot.exposure.cost, terms.leverage);
    const liquidation = liquidationPrice(slot.exposure, this.#collateral(slot, isIsolated), slot.data.tiers);
    return slot.report(terms, margin, liquidation);
  }

  /** Moves the round of a slot that has just become flat into the history. */
  archive(slot: PositionSlot, now: number, reason: string | undefined): void {
    this.closed.push(Object.freeze(slot.end(this.termsOf(slot.symbol), now, reason)));
    this.closed.forgetOld();
  }

  #collateral(slot: PositionSlot, isIsolated: boolean): Decimal {
    if (isIsolated) return slot.margin;
    const slots = this.crossSlots(slot.currency);
    const marked = this.#marked(slots);
    const own = marked[slots.indexOf(slot)];
    const balance = this.funds.crossBalance(slot.currency);
    return own === undefined ? balance : liquidationCollateral(balance, own, marked);
  }

  #marked(slots: readonly PositionSlot[]): MarkedPosition[] {
    return slots.map((slot) => ({ exposure: slot.exposure, mark: slot.mark, tiers: slot.data.tiers }));
  }
}

/** Notional that a position would have, were the orders of its worse side filled, and one more. */
export function notionalAfter(slot: PositionSlot, more?: OrderExposure): Decimal {
  const { exposure } = slot;
  const value = (side: Side): Decimal => {
    const opens = slot.opening(side, more);
    return opens.isZero() || slot.closable(side).gt(0) ? opens : opens.plus(exposure.cost.abs());
  };
  return greater(exposure.cost.abs(), greater(value('buy'), value('sell')));
}
