/**
 * Money of derivative orders, and the tally of users' rounds. Agents keep no positions: they trade on the house account
 * `market`.
 */
import { settleForced, type ForcedClose } from '../../../clearing/perpetual/liquidation.ts';
import {
  admitOrder,
  orderMarginOf,
  releaseOrder,
  type IncomingOrder,
} from '../../../clearing/perpetual/order-margin.ts';
import { settleFill, type PerpetualFill, type SettledFill } from '../../../clearing/perpetual/settlement.ts';
import { smaller, ZERO, type Decimal } from '../../../model/numbers/money.ts';
import type { OrderRecord } from '../orders/order-record.ts';
import type { Charge, FillCharges, Settlement } from '../orders/settlement.ts';
import { walkCost } from '../orders/spot-settlement.ts';
import type { Slot } from './slot.ts';
import type { FuturesParts } from './futures-parts.ts';
import { Round } from './round.ts';

type Traded = Omit<PerpetualFill, 'feeTo'>;

const freeOfCharge: Charge = { amount: ZERO, currency: '' };

export class FuturesSettlement implements Settlement {
  readonly #futures: FuturesParts;

  constructor(futures: FuturesParts) {
    this.#futures = futures;
  }

  lockedCurrency(record: OrderRecord): string {
    return record.market.instrument.settle;
  }

  /** True for an order that opens nothing. */
  lock(record: OrderRecord, limitTicks: number): boolean {
    const slot = this.#futures.slotOf(record);
    if (slot === null) return true;
    const order = incomingOf(record, limitTicks);
    return admitOrder(slot, record, order, orderMarginOf(slot, order, record.trader.fees.taker));
  }

  fill(taker: OrderRecord, maker: OrderRecord, ticks: number, lots: number): FillCharges {
    for (const record of [taker, maker]) {
      const slot = this.#futures.slotOf(record);
      slot?.orders.update(record, record.leftLots);
      slot?.renew();
    }
    return {
      taker: this.#settle(taker, ticks, lots, taker.trader.fees.taker),
      maker: this.#settle(maker, ticks, lots, maker.trader.fees.maker),
    };
  }

  release(record: OrderRecord): void {
    const slot = this.#futures.slotOf(record);
    if (slot !== null) releaseOrder(slot, record);
  }

  force(record: OrderRecord, close: ForcedClose<OrderRecord>, reason: string): Charge {
    const { slot, side } = close;
    const fill = { ...close, feeRate: slot.book.rules.liquidationFeeRate };
    const closable = slot.closable(side);
    return this.#count(slot, record, fill, closable, settleForced(close, record.updatedAt), reason);
  }

  #settle(record: OrderRecord, ticks: number, lots: number, feeRate: Decimal): Charge {
    const slot = this.#futures.slotOf(record);
    if (slot === null) return freeOfCharge;
    const { instrument } = record.market;
    const { side } = record.order;
    const price = instrument.exactPrice(ticks);
    const fill = { side, price, quantity: instrument.exactQuantity(lots), feeRate, feeTo: 'fees' } as const;
    const closable = slot.closable(side);
    return this.#count(slot, record, fill, closable, settleFill(slot, fill, record.updatedAt));
  }

  /** `closable`: before the fill. */
  #count(
    slot: Slot,
    record: OrderRecord,
    { price, quantity, feeRate }: Traded,
    closable: Decimal,
    { fee, profit }: SettledFill,
    reason?: string,
  ): Charge {
    const { trader, updatedAt: now } = record;
    const account = this.#futures.accountOf(trader);
    const unit = price.times(slot.market.instrument.contractSize).times(feeRate);
    const closes = smaller(closable, quantity);
    let round = account.rounds.get(slot);
    if (round !== undefined && !closes.isZero()) {
      round.leave(price, closes, unit.times(closes), profit);
      record.round ??= round;
      if (closes.eq(closable)) account.archive(round.end(slot, now, reason));
    }
    const opens = quantity.minus(closes);
    if (!opens.isZero()) {
      if (round === undefined || round.isOver) account.rounds.set(slot, (round = new Round(now)));
      round.enter(price, opens, unit.times(opens), slot.quantity);
      record.round ??= round;
    }
    this.#futures.onChange(slot, trader, now);
    return { amount: fee, currency: slot.book.currency, realizedPnl: profit };
  }
}

export function incomingOf(record: Pick<OrderRecord, 'market' | 'order'>, limitTicks: number): IncomingOrder {
  const { side, ticks, lots, reduceOnly } = record.order;
  return { side, ticks, lots, reduceOnly, walk: walkCost(record, limitTicks) };
}
