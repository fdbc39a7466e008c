/**
 * The place of one position: user × symbol × position side. It holds the position while one is open, the orders that
 * belong to it, and the tally of its round from opening to closing. Money is moved by `margin-account.ts`; this file only
 * counts. A slot that is flat keeps the figures of its last round until the next one opens.
 */
import type { VenuePosition } from '../../../model/account.ts';
import { type Decimal, ONE, ZERO, decimalText } from '../../../model/money.ts';
import type { PositionSide, Side } from '../../../model/order.ts';
import { Position } from '../../../model/position.ts';
import { contractSize } from '../../../clearing/fees.ts';
import { exposureOf, unrealizedOf, type Exposure } from '../../../clearing/margin/exposure.ts';
import type { OrderExposure } from '../../../clearing/margin/initial-margin.ts';
import type { OrderRecord } from '../order-record.ts';
import type { PerpetualData } from '../perpetuals.ts';
import { SlotOrders } from './slot-orders.ts';

const AVERAGE_PLACES = 18;
const LIQUIDATION_PLACES = 8;

/** A closed position as the history answers it (wire profile, "closed position"; `reason` is assumed). */
export interface ClosedPosition extends VenuePosition {
  readonly closePrice: string;
  readonly openedAt: number;
  readonly closedAt: number;
  readonly fees: string;
  readonly funding: string;
  /** `liquidation`, or absent when an order of the user closed it. */
  readonly reason?: string;
}

interface Round {
  readonly openedAt: number;
  /** Sums over entries and exits of the round, base units and settlement currency. */
  entered: Decimal;
  enteredValue: Decimal;
  left: Decimal;
  leftValue: Decimal;
  /** Greatest size, signed like the position. */
  quantityMax: Decimal;
  fees: Decimal;
  funding: Decimal;
  isOver: boolean;
}

export interface SlotTerms {
  readonly leverage: number;
  readonly marginType: VenuePosition['marginType'];
}

export class PositionSlot {
  readonly data: PerpetualData;
  readonly side: PositionSide;
  /** Value of one quantity × price unit. */
  readonly unit: Decimal;
  readonly orders: SlotOrders;
  /** Margin that an isolated position holds; zero for a cross position. */
  margin: Decimal = ZERO;
  updatedAt = 0;
  #position = new Position();
  #round: Round = newRound(0);

  constructor(data: PerpetualData, side: PositionSide) {
    this.data = data;
    this.side = side;
    this.unit = contractSize(data.market.instrument);
    this.orders = new SlotOrders(this.unit);
  }

  get symbol(): string {
    return this.data.market.instrument.symbol;
  }

  get currency(): string {
    return this.data.market.instrument.settle;
  }

  get isOpen(): boolean {
    return !this.#position.quantity.isZero();
  }

  /** Signed, base units. */
  get quantity(): Decimal {
    return this.#position.quantity;
  }

  get exposure(): Exposure {
    return exposureOf(this.#position, this.unit);
  }

  /** The mark price; a position has had a trade, so its entry price stands in before there is a mark. */
  get mark(): Decimal {
    return this.data.mark ?? this.#position.entryPrice ?? ZERO;
  }

  /** How much of an order of `side` would close. */
  closable(side: Side): Decimal {
    const { quantity } = this;
    return (side === 'sell' ? quantity.gt(0) : quantity.lt(0)) ? quantity.abs() : ZERO;
  }

  /** True for an order that can never open: reduce-only, or the closing side of a hedge position. */
  onlyCloses(side: Side, reduceOnly: boolean): boolean {
    return reduceOnly || (this.side === 'long' && side === 'sell') || (this.side === 'short' && side === 'buy');
  }

  /** Value that the orders of a side would open, and one more with them. */
  opening(side: Side, more?: OrderExposure): Decimal {
    return this.orders.opening(side, this.quantity.times(this.unit), more);
  }

  /** Adds to the position, or opens it. */
  enter(record: OrderRecord, price: Decimal, quantity: Decimal, fee: Decimal, now: number): void {
    if (!this.isOpen) {
      this.#position = new Position();
      this.#round = newRound(now);
    }
    const round = this.#round;
    this.#position.apply(record.order.side, price, quantity);
    round.entered = round.entered.plus(quantity);
    round.enteredValue = round.enteredValue.plus(quantity.times(price));
    if (this.quantity.abs().gt(round.quantityMax.abs())) round.quantityMax = this.quantity;
    this.#count(record, fee, now);
  }

  /** Closes a part or all; answers the profit, settlement currency. */
  leave(record: OrderRecord, price: Decimal, quantity: Decimal, fee: Decimal, now: number): Decimal {
    const round = this.#round;
    const profit = this.#position.apply(record.order.side, price, quantity).times(this.unit);
    round.left = round.left.plus(quantity);
    round.leftValue = round.leftValue.plus(quantity.times(price));
    this.#count(record, fee, now);
    return profit;
  }

  /** Funding that was received; below zero when paid. */
  fund(amount: Decimal, now: number): void {
    this.#round.funding = this.#round.funding.plus(amount);
    this.updatedAt = now;
  }

  report(terms: SlotTerms, margin: Decimal, liquidationPrice: Decimal | null): VenuePosition {
    const { realized } = this.#position;
    const { mark } = this;
    return {
      symbol: this.symbol,
      positionSide: this.side,
      quantity: decimalText(this.#shown(this.quantity)),
      entryPrice: averageText(this.#position.cost, this.quantity),
      markPrice: decimalText(mark),
      leverage: String(terms.leverage),
      marginType: terms.marginType,
      margin: decimalText(margin),
      liquidationPrice:
        liquidationPrice === null ? null : decimalText(liquidationPrice.toDecimalPlaces(LIQUIDATION_PLACES)),
      unrealizedPnl: decimalText(unrealizedOf(this.exposure, mark)),
      realizedPnl: decimalText(realized.times(this.unit)),
      updatedAt: this.updatedAt,
    };
  }

  /** Ends the round of a position that has just become flat. */
  end(terms: SlotTerms, now: number, reason: string | undefined): ClosedPosition {
    const round = this.#round;
    round.isOver = true;
    return {
      ...this.report(terms, ZERO, null),
      quantity: decimalText(this.#shown(round.quantityMax)),
      entryPrice: averageText(round.enteredValue, round.entered),
      closePrice: averageText(round.leftValue, round.left),
      openedAt: round.openedAt,
      closedAt: now,
      fees: decimalText(round.fees),
      funding: decimalText(round.funding),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  #count(record: OrderRecord, fee: Decimal, now: number): void {
    this.#round.fees = this.#round.fees.plus(fee);
    record.round ??= this.#round;
    this.updatedAt = now;
  }

  /** Signed in one-way mode only. */
  #shown(quantity: Decimal): Decimal {
    return this.side === 'both' ? quantity : quantity.abs();
  }
}

function newRound(openedAt: number): Round {
  return {
    openedAt,
    entered: ZERO,
    enteredValue: ZERO,
    left: ZERO,
    leftValue: ZERO,
    quantityMax: ZERO,
    fees: ZERO,
    funding: ZERO,
    isOver: false,
  };
}

function averageText(value: Decimal, quantity: Decimal): string {
  const divisor = quantity.isZero() ? ONE : quantity;
  return decimalText(value.div(divisor).toDecimalPlaces(AVERAGE_PLACES, 'half-even'));
}
