/**
 * Puts a request on the grid of its instrument and checks minima and maxima, in a fixed order; the same in every market.
 */
import type { Instrument } from '../../model/instrument.ts';
import { dec } from '../../model/money.ts';
import type { OrderType, Side, TimeInForce } from '../../model/order.ts';
import type { NewOrder } from './order-record.ts';
import { refuse, type Refusal } from './refusal.ts';
import type { SymbolMarket } from './symbol-market.ts';

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

/** `closes`: an order that only closes a position may be smaller than the least notional. */
export function gridOrder(market: SymbolMarket, request: SpotOrderRequest, closes = false): NewOrder | Refusal {
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
  const refusal = closes ? undefined : refuseNotional(instrument, ticks ?? touchTicks(market, request.side), lots);
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
  const notional = instrument.exactNotional(ticks, lots);
  const { minNotional } = instrument.spec;
  if (ticks === 0 || notional.gte(minNotional)) return undefined;
  return refuse(
    'below_minimum',
    `price × quantity ${notional.toFixed()} is below the minimum ${minNotional}`,
    'quantity',
  );
}
