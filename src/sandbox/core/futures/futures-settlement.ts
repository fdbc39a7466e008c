/**
 * Money of derivative orders. An order locks nothing of its own: the margin of a user is one sum that is reckoned anew
 * after each change. A fill moves profit or loss against the market account and the fee to the exchange, in the
 * settlement currency, nothing else.
 *
 * Agents of the synthetic or replayed market trade on the market account: nothing is kept of what they hold, and whatever
 * users win from them or lose to them is the market account's. Between two users money passes through it.
 */
import { type Decimal, ZERO, smaller } from '../../../model/money.ts';
import { initialMargin } from '../../../clearing/margin/initial-margin.ts';
import type { HouseAccount } from '../../../clearing/pocket.ts';
import type { OrderRecord } from '../order-record.ts';
import type { Charge, FillCharges, Settlement } from '../settlement.ts';
import { admissionOf } from './admission.ts';
import type { MarginAccount } from './margin-account.ts';
import type { PositionSlot } from './position-slot.ts';

export interface FuturesFill {
  readonly price: Decimal;
  /** Base units. */
  readonly quantity: Decimal;
  readonly feeRate: Decimal;
  /** Account of the exchange that gets the fee. */
  readonly feeTo: HouseAccount;
  /** Kept with the position when this closes it. */
  readonly reason?: string;
}

export interface OrderPlace {
  readonly account: MarginAccount;
  readonly slot: PositionSlot;
}

export interface SettlementPorts {
  /** Whose order it is and where it belongs; null for agents. */
  placeOf(record: OrderRecord): OrderPlace | null;
  /** A position changed. */
  onChange(place: OrderPlace, now: number): void;
}

const freeOfCharge: Charge = { amount: ZERO, currency: '' };

export class FuturesSettlement implements Settlement {
  readonly #ports: SettlementPorts;

  constructor(ports: SettlementPorts) {
    this.#ports = ports;
  }

  lockedCurrency(record: OrderRecord): string {
    return record.market.instrument.settle;
  }

  /** An order that opens nothing needs nothing. */
  lock(record: OrderRecord, limitTicks: number): boolean {
    const place = this.#ports.placeOf(record);
    if (place === null) return true;
    const { account, slot } = place;
    const { currency } = slot;
    const { price, opening, besides } = admissionOf(record, slot, limitTicks, record.trader.fees.taker);
    const before = account.need(currency);
    const { side, reduceOnly } = record.order;
    const closes = slot.onlyCloses(side, reduceOnly ?? false);
    slot.orders.add(record, closes ? null : opening);
    const extra = account.need(currency).minus(before);
    if (extra.gt(0) && account.spendable(currency).lt(extra.plus(besides))) {
      slot.orders.remove(record);
      return false;
    }
    if (!closes && !opening.eq(price)) slot.orders.add(record, price);
    account.rehold(currency);
    return true;
  }

  fill(taker: OrderRecord, maker: OrderRecord, ticks: number, lots: number): FillCharges {
    const { instrument } = taker.market;
    for (const record of [taker, maker]) this.#ports.placeOf(record)?.slot.orders.update(record);
    const fill = {
      price: instrument.exactPrice(ticks),
      quantity: instrument.exactQuantity(lots),
      feeTo: 'fees',
    } as const;
    return {
      taker: this.apply(taker, { ...fill, feeRate: taker.trader.fees.taker }),
      maker: this.apply(maker, { ...fill, feeRate: maker.trader.fees.maker }),
    };
  }

  release(record: OrderRecord): void {
    const place = this.#ports.placeOf(record);
    if (place === null) return;
    place.slot.orders.remove(record);
    place.account.rehold(place.slot.currency);
  }

  /** One side of a fill: closes first, opens with the rest. Profit comes in before margin is held, losses after. */
  apply(record: OrderRecord, fill: FuturesFill): Charge {
    const place = this.#ports.placeOf(record);
    if (place === null) return freeOfCharge;
    const { account, slot } = place;
    const { currency } = slot;
    const { funds } = account;
    const now = record.updatedAt;
    const feeOf = (quantity: Decimal): Decimal => valueOf(slot, fill, quantity).times(fill.feeRate);
    const closes = smaller(slot.closable(record.order.side), fill.quantity);
    const opens = fill.quantity.minus(closes);
    const profit = closes.isZero() ? ZERO : close(place, record, { ...fill, quantity: closes }, feeOf(closes));
    if (!opens.isZero()) slot.enter(record, fill.price, opens, feeOf(opens), now);
    if (profit.gt(0)) funds.receive(currency, profit, 'market');
    account.rehold(currency);
    if (!opens.isZero() && account.isIsolated(slot)) {
      const { leverage } = account.termsOf(slot.symbol);
      funds.lockIsolated(slot, initialMargin(valueOf(slot, fill, opens), leverage));
    }
    if (profit.isNegative()) funds.charge(slot, profit.neg(), 'market');
    const fee = feeOf(fill.quantity);
    if (fee.isNegative()) funds.receive(currency, fee.neg(), fill.feeTo);
    else funds.charge(slot, fee, fill.feeTo);
    this.#ports.onChange(place, now);
    return { amount: fee, currency, realizedPnl: profit };
  }
}

function valueOf(slot: PositionSlot, { price }: FuturesFill, quantity: Decimal): Decimal {
  return price.times(quantity).times(slot.unit);
}

/** Answers the profit. An isolated position gives back its margin in proportion, rounded down to 1e-18. */
function close({ account, slot }: OrderPlace, record: OrderRecord, fill: FuturesFill, fee: Decimal): Decimal {
  const { quantity } = fill;
  const size = slot.quantity.abs();
  const released = quantity.eq(size) ? slot.margin : slot.margin.times(quantity).div(size).toDecimalPlaces(18, 'down');
  const profit = slot.leave(record, fill.price, quantity, fee, record.updatedAt);
  account.funds.releaseIsolated(slot, released);
  if (!slot.isOpen) account.archive(slot, record.updatedAt, fill.reason);
  return profit;
}
