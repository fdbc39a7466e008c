/**
 * Spot trading as users meet it: requests are checked in a fixed order, then handed to the order flow; own orders and
 * trades are listed. Time comes as an argument. Refusals are rows of the business table.
 */
import type { Instrument, Market } from '../../model/instrument.ts';
import type { VenueFill } from '../../model/fill.ts';
import { dec } from '../../model/money.ts';
import type { OrderType, Side, TimeInForce } from '../../model/order.ts';
import { pageOf, type Page, type PageQuery } from './history.ts';
import type { OrderFlow } from './order-flow.ts';
import type { NewOrder, OrderRecord, Trader, TraderHistory } from './order-record.ts';
import { isRefusal, refuse, type Refusal } from './refusal.ts';
import type { SymbolMarket } from './symbol-market.ts';

/** Active orders of one user (bound). */
export const ACTIVE_ORDERS_MAX = 10_000;

/** A request whose types are checked: decimals are plain text without sign or exponent. */
export interface SpotOrderRequest {
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Null on market orders. */
  readonly price: string | null;
  readonly quantity: string;
  readonly clientOrderId?: string | undefined;
}

export interface OrderFilter {
  readonly symbol?: string | undefined;
  /** Markets that the caller may see. */
  readonly markets: ReadonlySet<Market>;
}

export interface CancelManyResult {
  readonly canceled: readonly string[];
  readonly failed: readonly { readonly orderId: string; readonly code: string }[];
}

export class SpotTrading {
  readonly #flow: OrderFlow;
  readonly #markets: ReadonlyMap<string, SymbolMarket>;
  /** Every order of every user with a history, to tell `not_owner` from `unknown_order`. */
  readonly #owners = new Map<string, OrderRecord>();
  readonly #clientOrderIds: boolean;

  constructor(flow: OrderFlow, markets: ReadonlyMap<string, SymbolMarket>, clientOrderIds: boolean) {
    this.#flow = flow;
    this.#markets = markets;
    this.#clientOrderIds = clientOrderIds;
  }

  /** Places an order; answers it as it is after matching. */
  place(trader: Trader, request: SpotOrderRequest, now: number): OrderRecord | Refusal {
    const market = this.#markets.get(request.symbol);
    if (market === undefined || market.instrument.market !== 'spot') {
      return refuse('unknown_symbol', `${request.symbol} is not a spot instrument`, 'symbol');
    }
    const clientOrderId = this.#clientOrderIds ? request.clientOrderId : undefined;
    const refusal = refuseByHistory(trader.history, clientOrderId);
    if (refusal !== undefined) return refusal;
    if (market.halted) return refuse('symbol_halted', `${request.symbol} is halted`, 'symbol');
    const grid = gridOrder(market, { ...request, clientOrderId });
    if (isRefusal(grid)) return grid;
    const record = this.#flow.submit(trader, market, grid, now);
    if (!isRefusal(record)) this.#owners.set(record.orderId, record);
    return record;
  }

  cancel(trader: Trader, orderId: string, filter: OrderFilter, now: number): OrderRecord | Refusal {
    const record = this.find(trader, orderId, filter);
    return isRefusal(record) ? record : this.#flow.cancel(record, now);
  }

  /** Cancels the named orders, or all active ones of the filter. */
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

  /** Orders that ended. */
  ended(trader: Trader, filter: OrderFilter, query: PageQuery): Page<OrderRecord> {
    return pageOf(
      trader.history?.orders ?? [],
      query,
      (record) => record.createdAt,
      (record) => !record.isActive && matches(record, filter),
    );
  }

  trades(trader: Trader, market: Market, symbol: string | undefined, query: PageQuery): Page<VenueFill> {
    return pageOf(
      trader.history?.trades ?? [],
      query,
      (fill) => fill.ts,
      (fill) => fill.market === market && (symbol === undefined || fill.symbol === symbol),
    );
  }
}

function matches(record: OrderRecord, filter: OrderFilter): boolean {
  const { instrument } = record.market;
  return filter.markets.has(instrument.market) && (filter.symbol === undefined || filter.symbol === instrument.symbol);
}

function refuseByHistory(history: TraderHistory | null, clientOrderId: string | undefined): Refusal | undefined {
  if (history === null) return undefined;
  if (clientOrderId !== undefined && history.clientOrderIds.has(clientOrderId)) {
    return refuse('duplicate_client_order_id', `clientOrderId ${clientOrderId} was used before`, 'clientOrderId');
  }
  if (history.active.size >= ACTIVE_ORDERS_MAX) {
    return refuse('limit_reached', `${ACTIVE_ORDERS_MAX} orders are active already`);
  }
  return undefined;
}

/** Puts a request on the grid of its instrument and checks minima and maxima. */
function gridOrder(market: SymbolMarket, request: SpotOrderRequest): NewOrder | Refusal {
  const { instrument } = market;
  const { spec } = instrument;
  const quantity = dec(request.quantity);
  if (quantity.gt(spec.maxQuantity)) {
    return refuse('above_maximum', `quantity ${request.quantity} is above the maximum ${spec.maxQuantity}`, 'quantity');
  }
  if (quantity.lt(spec.minQuantity)) {
    return refuse('below_minimum', `quantity ${request.quantity} is below the minimum ${spec.minQuantity}`, 'quantity');
  }
  const lots = instrument.lotsOf(request.quantity);
  if (Number.isNaN(lots)) {
    return refuse('off_lot', `quantity ${request.quantity} is not a multiple of ${spec.lotSize}`, 'quantity');
  }
  const ticks = request.price === null ? null : instrument.ticksOf(request.price);
  if (ticks !== null && Number.isNaN(ticks)) {
    return refuse('off_tick', `price ${request.price} is not a multiple of ${spec.tickSize}`, 'price');
  }
  const refusal = refuseNotional(instrument, ticks ?? touchTicks(market, request.side), lots);
  if (refusal !== undefined) return refusal;
  const { side, type, timeInForce, clientOrderId } = request;
  return { side, type, timeInForce, ticks, lots, clientOrderId };
}

/** The price a market order would meet first; the last trade when nothing is offered. */
function touchTicks(market: SymbolMarket, side: Side): number {
  const touch = side === 'buy' ? market.book.askTicks : market.book.bidTicks;
  return touch === 0 ? market.lastTicks : touch;
}

function refuseNotional(instrument: Instrument, ticks: number, lots: number): Refusal | undefined {
  const notional = instrument.exactPrice(ticks).times(instrument.exactQuantity(lots));
  const { minNotional } = instrument.spec;
  if (ticks === 0 || notional.gte(minNotional)) return undefined;
  return refuse(
    'below_minimum',
    `price × quantity ${notional.toFixed()} is below the minimum ${minNotional}`,
    'quantity',
  );
}
