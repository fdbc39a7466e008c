/** A user's orders and trades, limited to the caller's markets, and checks of new orders in both markets. */
import { onGrid } from '../../../clearing/grid.ts';
import type { Market } from '../../../model/market/instrument.ts';
import type { VenueFill } from '../../../model/trading/fill.ts';
import type { OrderRequest, Side } from '../../../model/trading/order.ts';
import { pageOf, type Page, type PageQuery } from '../history.ts';
import type { OrderFlow } from './order-flow.ts';
import type { NewOrder, OrderRecord, SymbolMarket, Trader } from './order-record.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';

/** Decimals are plain text without sign or exponent. */
export interface SpotOrderRequest extends Pick<
  OrderRequest,
  'symbol' | 'side' | 'type' | 'timeInForce' | 'price' | 'quantity'
> {
  readonly clientOrderId?: string | undefined;
}

export interface OrderFilter {
  readonly symbol?: string | undefined;
  readonly markets: ReadonlySet<Market>;
}

export interface CancelManyResult {
  readonly canceled: readonly string[];
  readonly failed: readonly { readonly orderId: string; readonly code: string }[];
}

export class OwnOrders {
  readonly #activeMax: number;
  readonly #flowOf: (market: SymbolMarket) => OrderFlow;
  /** To distinguish `not_owner` from `unknown_order`. */
  readonly #owners = new Map<string, OrderRecord>();

  constructor(flowOf: (market: SymbolMarket) => OrderFlow, activeMax: number) {
    this.#activeMax = activeMax;
    this.#flowOf = flowOf;
  }

  doubt({ history }: Trader, market: SymbolMarket, clientOrderId: string | undefined): Refusal | undefined {
    if (clientOrderId !== undefined && history?.clientOrderIds.has(clientOrderId) === true) {
      return refuse('duplicate_client_order_id', `clientOrderId ${clientOrderId} was used before`, 'clientOrderId');
    }
    if (history !== null && history.active.size >= this.#activeMax) {
      return refuse('limit_reached', `${this.#activeMax} orders are active already`);
    }
    const { symbol } = market.instrument;
    return market.halted ? refuse('symbol_halted', `${symbol} is halted`, 'symbol') : undefined;
  }

  submit(trader: Trader, market: SymbolMarket, order: NewOrder, now: number): OrderRecord | Refusal {
    const record = this.#flowOf(market).submit(trader, market, order, now);
    if (!isRefusal(record)) this.keep(record);
    return record;
  }

  /** Orders dropped from the history are removed everywhere. */
  keep(record: OrderRecord): void {
    this.#owners.set(record.orderId, record);
    const { history } = record.trader;
    if (history === null) return;
    for (const { orderId, order } of history.orderLog.forgetOld()) {
      this.#owners.delete(orderId);
      if (order.clientOrderId !== undefined) history.clientOrderIds.delete(order.clientOrderId);
    }
  }

  cancel(trader: Trader, orderId: string, filter: OrderFilter, now: number): OrderRecord | Refusal {
    const record = this.find(trader, orderId, filter);
    return isRefusal(record) ? record : this.#flowOf(record.market).cancel(record, now);
  }

  /** Null: all active orders of the filter. */
  cancelMany(trader: Trader, orderIds: readonly string[] | null, filter: OrderFilter, now: number): CancelManyResult {
    const canceled: string[] = [];
    const failed: { orderId: string; code: string }[] = [];
    for (const orderId of orderIds ?? this.active(trader, filter).map((record) => record.orderId)) {
      const result = this.cancel(trader, orderId, filter, now);
      if (isRefusal(result)) failed.push({ orderId, code: result.code });
      else canceled.push(orderId);
    }
    return { canceled, failed };
  }

  find(trader: Trader, orderId: string, filter: OrderFilter): OrderRecord | Refusal {
    const record = this.#owners.get(orderId);
    if (record === undefined || !filter.markets.has(record.market.instrument.market)) {
      return refuse('unknown_order', `there is no order ${orderId}`, 'orderId');
    }
    if (record.trader !== trader) return refuse('not_owner', `order ${orderId} belongs to another user`, 'orderId');
    return record;
  }

  /** Newest first. */
  active(trader: Trader, filter: OrderFilter): OrderRecord[] {
    const found = [...(trader.history?.active.values() ?? [])].filter((record) => matches(record, filter));
    return found.toReversed();
  }

  ended(trader: Trader, filter: OrderFilter, query: PageQuery): Page<OrderRecord> {
    const log = trader.history?.orderLog ?? [];
    return pageOf(log, query, 'createdAt', (record) => !record.isActive && matches(record, filter));
  }

  trades(trader: Trader, market: Market, symbol: string | undefined, query: PageQuery): Page<VenueFill> {
    const isWanted = (fill: VenueFill): boolean =>
      fill.market === market && (symbol === undefined || fill.symbol === symbol);
    return pageOf(trader.history?.tradeLog ?? [], query, 'ts', isWanted);
  }
}

function matches(record: OrderRecord, filter: OrderFilter): boolean {
  const { instrument } = record.market;
  return filter.markets.has(instrument.market) && (filter.symbol === undefined || filter.symbol === instrument.symbol);
}

/** `closes`: the order only closes a position. */
export function gridOrder(market: SymbolMarket, request: SpotOrderRequest, closes = false): NewOrder | Refusal {
  const { side, type, timeInForce, clientOrderId, price, quantity } = request;
  const grid = onGrid(market.instrument, { price, quantity, closes, touchTicks: touchTicks(market, side) });
  if (grid.kind === 'refusal') return grid;
  return { side, type, timeInForce, ticks: grid.ticks, lots: grid.lots, clientOrderId };
}

/** The best opposite price, else the last trade. */
function touchTicks({ book, lastTicks }: SymbolMarket, side: Side): number {
  const touch = side === 'buy' ? book.askTicks : book.bidTicks;
  return touch === 0 ? lastTicks : touch;
}
