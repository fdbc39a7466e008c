/**
 * New spot orders: requests are checked in a fixed order, then handed to the order flow. Time comes as an argument.
 * Refusals are rows of the business table.
 */
import type { OrderFlow } from './order-flow.ts';
import { gridOrder, type SpotOrderRequest } from './order-grid.ts';
import type { OrderRecord, Trader } from './order-record.ts';
import { refuseByHistory, type OwnOrders } from './own-orders.ts';
import { isRefusal, refuse, type Refusal } from './refusal.ts';
import type { SymbolMarket } from './symbol-market.ts';

export class SpotTrading {
  readonly #flow: OrderFlow;
  readonly #orders: OwnOrders;
  readonly #markets: ReadonlyMap<string, SymbolMarket>;
  readonly #clientOrderIds: boolean;

  constructor(flow: OrderFlow, orders: OwnOrders, markets: ReadonlyMap<string, SymbolMarket>, clientOrderIds: boolean) {
    this.#flow = flow;
    this.#orders = orders;
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
    const refusal = refuseByHistory(trader.history, clientOrderId, this.#orders.activeMax);
    if (refusal !== undefined) return refusal;
    if (market.halted) return refuse('symbol_halted', `${request.symbol} is halted`, 'symbol');
    const grid = gridOrder(market, { ...request, clientOrderId });
    if (isRefusal(grid)) return grid;
    const record = this.#flow.submit(trader, market, grid, now);
    if (!isRefusal(record)) this.#orders.keep(record);
    return record;
  }
}
