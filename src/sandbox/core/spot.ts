/**
 * New spot orders: requests are checked in a fixed order, then handed to the order flow. Time comes as an argument.
 * Refusals are rows of the business table.
 */
import { gridOrder, type SpotOrderRequest } from './order-grid.ts';
import type { OrderRecord, Trader } from './order-record.ts';
import type { OwnOrders } from './own-orders.ts';
import { isRefusal, refuse, type Refusal } from './refusal.ts';
import type { SymbolMarket } from './symbol-market.ts';

export class SpotTrading {
  readonly #orders: OwnOrders;
  readonly #markets: ReadonlyMap<string, SymbolMarket>;

  constructor(orders: OwnOrders, markets: ReadonlyMap<string, SymbolMarket>) {
    this.#orders = orders;
    this.#markets = markets;
  }

  /** Places an order; answers it as it is after matching. */
  place(trader: Trader, request: SpotOrderRequest, now: number): OrderRecord | Refusal {
    const market = this.#markets.get(request.symbol);
    if (market === undefined || market.instrument.market !== 'spot') {
      return refuse('unknown_symbol', `${request.symbol} is not a spot instrument`, 'symbol');
    }
    const refusal = this.#orders.doubt(trader, market, request.clientOrderId);
    if (refusal !== undefined) return refusal;
    const order = gridOrder(market, request);
    return isRefusal(order) ? order : this.#orders.submit(trader, market, order, now);
  }
}
