/**
 * Life of an order in every market. Only traders with a history are recorded and notified.
 *
 *   submit ─▶ lock ─▶ match ─▶ filled
 *                        ├───▶ rest (new, partially_filled) ─▶ filled | canceled
 *                        └───▶ expired          rest of an ioc or market order
 */
import type { VenueFill } from '../../../model/trading/fill.ts';
import { BID, ASK } from '../../../model/market/market-event.ts';
import { decimalText } from '../../../model/numbers/money.ts';
import type { Mutable } from '../../../model/mutable.ts';
import type { Liquidity } from '../../../model/trading/order.ts';
import { type NewOrder, OrderRecord, type SymbolMarket, type Trader } from './order-record.ts';
import type { Outbox } from '../outbox.ts';
import { refuse, type Refusal } from '../refusal.ts';
import type { Charge, Settlement } from './settlement.ts';

/** Largest distance of a market order from the best price; the rest expires. */
export const MARKET_PROTECTION = 0.1;

/** Ascending ids, prefixed with the start second so that runs differ. */
export class IdSequence {
  readonly #prefix: string;
  #count = 0;

  constructor(startMs: number) {
    this.#prefix = Math.floor(startMs / 1000).toString();
  }

  next(): string {
    this.#count++;
    return `${this.#prefix}${String(this.#count).padStart(9, '0')}`;
  }
}

export interface FlowPorts {
  readonly orderIds: IdSequence;
  readonly tradeIds: IdSequence;
  readonly outbox: Outbox;
  readonly onCharge: (userId: string, charge: Charge, now: number) => void;
}

export interface ForcedFill {
  readonly ticks: number;
  readonly reason: string;
  readonly now: number;
}

export class OrderFlow {
  readonly #settlement: Settlement;
  readonly #ports: FlowPorts;

  constructor(settlement: Settlement, ports: FlowPorts) {
    this.#settlement = settlement;
    this.#ports = ports;
  }

  /** For a checked order; refuses only for balance. */
  submit(trader: Trader, market: SymbolMarket, order: NewOrder, now: number): OrderRecord | Refusal {
    const record = new OrderRecord(this.#ports.orderIds.next(), trader, market, order, now);
    const limitTicks = limitTicksOf(market, order);
    if (!this.#settlement.lock(record, limitTicks)) {
      const currency = this.#settlement.lockedCurrency(record);
      return refuse('insufficient_balance', `the available ${currency} does not cover the order`, 'quantity');
    }
    keep(record);
    const side = order.side === 'buy' ? BID : ASK;
    const left = market.book.match(side, limitTicks, order.lots, ({ owner, ticks }, lots) => {
      this.#fill(record, owner, ticks, lots, now);
    });
    if (left !== record.leftLots) throw new Error(`order ${record.orderId}: the book and the record disagree`);
    this.#ports.outbox.order(record);
    if (left === 0) this.#close(record, 'filled', now);
    else if (order.type === 'limit' && order.timeInForce === 'gtc') {
      record.resting = market.book.rest(record, side, order.ticks ?? 0, left);
    } else this.#close(record, 'expired', now, order.type === 'market' ? 'no_liquidity' : 'immediate_or_cancel');
    return record;
  }

  cancel(record: OrderRecord, now: number, reason?: string): OrderRecord | Refusal {
    if (!record.isActive) {
      return refuse('order_closed', `order ${record.orderId} is ${record.status} already`);
    }
    if (record.resting !== null) record.market.book.remove(record.resting);
    this.#close(record, 'canceled', now, reason);
    return record;
  }

  /** At one price, outside book and public feed. */
  force(
    trader: Trader,
    market: SymbolMarket,
    order: NewOrder,
    { ticks, reason, now }: ForcedFill,
    settle: (record: OrderRecord) => Charge,
  ): OrderRecord {
    const record = new OrderRecord(this.#ports.orderIds.next(), trader, market, order, now);
    trader.history?.orderLog.push(record);
    count(record, ticks, order.lots, now);
    const charge = settle(record);
    record.status = 'filled';
    record.reason = reason;
    this.#recordTrade(record, 'taker', charge, { tradeId: this.#ports.tradeIds.next(), ticks, lots: order.lots, now });
    this.#ports.outbox.order(record);
    return record;
  }

  #fill(taker: OrderRecord, maker: OrderRecord, ticks: number, lots: number, now: number): void {
    const { market } = taker;
    const { tradeIds, onCharge } = this.#ports;
    const tradeId = tradeIds.next();
    for (const record of [taker, maker]) count(record, ticks, lots, now);
    const charges = this.#settlement.fill(taker, maker, ticks, lots);
    const ownFill = { ticks, lots, now };
    this.#recordTrade(taker, 'taker', charges.taker, { ...ownFill, tradeId });
    // A self-trade's maker fill needs its own trade id.
    const makerTradeId = maker.trader === taker.trader ? tradeIds.next() : tradeId;
    this.#recordTrade(maker, 'maker', charges.maker, { ...ownFill, tradeId: makerTradeId });
    if (!charges.taker.amount.isZero()) onCharge(taker.trader.userId, charges.taker, now);
    if (!charges.maker.amount.isZero()) onCharge(maker.trader.userId, charges.maker, now);
    market.record({ tradeId, ticks, lots, side: taker.order.side, ts: now });
    this.#ports.outbox.order(maker);
    if (maker.leftLots === 0) this.#close(maker, 'filled', now);
  }

  #recordTrade(
    record: OrderRecord,
    liquidity: Liquidity,
    charge: Charge,
    fill: { readonly tradeId: string; readonly ticks: number; readonly lots: number; readonly now: number },
  ): void {
    const { history, userId } = record.trader;
    if (history === null) return;
    const { instrument } = record.market;
    const trade: Mutable<VenueFill> = {
      tradeId: fill.tradeId,
      orderId: record.orderId,
      symbol: instrument.symbol,
      market: instrument.market,
      side: record.order.side,
      price: instrument.priceText(fill.ticks),
      quantity: instrument.quantityText(fill.lots),
      fee: decimalText(charge.amount),
      feeCurrency: charge.currency,
      liquidity,
      ts: fill.now,
    };
    if (record.order.positionSide !== undefined) trade.positionSide = record.order.positionSide;
    if (charge.realizedPnl !== undefined) trade.realizedPnl = decimalText(charge.realizedPnl);
    Object.freeze(trade);
    history.tradeLog.push(trade);
    history.tradeLog.forgetOld();
    this.#ports.outbox.trades.push({ userId, fill: trade });
  }

  #close(record: OrderRecord, status: 'filled' | 'canceled' | 'expired', now: number, reason?: string): void {
    record.status = status;
    record.reason = status === 'filled' ? undefined : reason;
    record.updatedAt = now;
    record.resting = null;
    this.#settlement.release(record);
    record.trader.history?.active.delete(record.orderId);
    this.#ports.outbox.order(record);
  }
}

function count(record: OrderRecord, ticks: number, lots: number, now: number): void {
  record.filledLots += lots;
  record.filledUnits += BigInt(ticks) * BigInt(lots);
  record.updatedAt = now;
  record.status = 'partially_filled';
}

function keep(record: OrderRecord): void {
  const { history } = record.trader;
  if (history === null) return;
  history.orderLog.push(record);
  history.active.set(record.orderId, record);
  const { clientOrderId } = record.order;
  if (clientOrderId !== undefined) history.clientOrderIds.set(clientOrderId, record);
}

export function limitTicksOf({ book }: SymbolMarket, order: NewOrder): number {
  if (order.ticks !== null) return order.ticks;
  return order.side === 'buy'
    ? Math.floor(book.askTicks * (1 + MARKET_PROTECTION))
    : Math.ceil(book.bidTicks * (1 - MARKET_PROTECTION));
}
