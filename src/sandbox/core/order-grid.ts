/**
 * Puts a request on the grid of its instrument, the same in every market.
 */
import { onGrid } from '../../clearing/grid.ts';
import type { OrderRequest, Side } from '../../model/order.ts';
import type { NewOrder } from './order-record.ts';
import type { Refusal } from './refusal.ts';
import type { SymbolMarket } from './symbol-market.ts';

/** A request whose types are checked: decimals are plain text without sign or exponent. */
export interface SpotOrderRequest extends Pick<
  OrderRequest,
  'symbol' | 'side' | 'type' | 'timeInForce' | 'price' | 'quantity'
> {
  readonly clientOrderId?: string | undefined;
}

/** `closes`: an order that only closes a position. */
export function gridOrder(market: SymbolMarket, request: SpotOrderRequest, closes = false): NewOrder | Refusal {
  const { side, type, timeInForce, clientOrderId, price, quantity } = request;
  const grid = onGrid(market.instrument, { price, quantity, closes, touchTicks: touchTicks(market, side) });
  if (grid.kind === 'refusal') return grid;
  return { side, type, timeInForce, ticks: grid.ticks, lots: grid.lots, clientOrderId };
}

/** The price a market order would meet first; the last trade when nothing is offered. */
function touchTicks({ book, lastTicks }: SymbolMarket, side: Side): number {
  const touch = side === 'buy' ? book.askTicks : book.bidTicks;
  return touch === 0 ? lastTicks : touch;
}
