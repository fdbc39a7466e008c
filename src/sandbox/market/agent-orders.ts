/** An agent's access to one market. Refusals are ignored. */
import type { Side } from '../../model/trading/order.ts';
import { isRefusal } from '../core/refusal.ts';
import type { Exchange } from '../core/exchange.ts';
import type { OrderFlow } from '../core/orders/order-flow.ts';
import type { OrderRecord, SymbolMarket, Trader } from '../core/orders/order-record.ts';

export class AgentOrders {
  readonly market: SymbolMarket;
  readonly #trader: Trader;
  readonly #flow: OrderFlow;

  constructor(exchange: Exchange, market: SymbolMarket, trader: Trader) {
    this.market = market;
    this.#trader = trader;
    this.#flow = exchange.flowOf(market);
  }

  /** At most one tick behind the other side. */
  rest(side: Side, ticks: number, lots: number, now: number): OrderRecord | undefined {
    const { book } = this.market;
    const clear =
      side === 'buy'
        ? Math.min(ticks, book.askTicks === 0 ? ticks : book.askTicks - 1)
        : Math.max(ticks, book.bidTicks + 1);
    if (clear < 1 || lots < 1 || this.market.halted) return undefined;
    return this.submit(side, clear, lots, 'gtc', now);
  }

  take(side: Side, limitTicks: number, lots: number, now: number): void {
    if (limitTicks < 1 || lots < 1 || this.market.halted) return;
    this.submit(side, limitTicks, lots, 'ioc', now);
  }

  cancel(order: OrderRecord, now: number): void {
    if (order.isActive) this.#flow.cancel(order, now);
  }

  /** May cross. Undefined when refused. */
  submit(side: Side, ticks: number, lots: number, timeInForce: 'gtc' | 'ioc', now: number): OrderRecord | undefined {
    const order = this.#flow.submit(this.#trader, this.market, { side, type: 'limit', timeInForce, ticks, lots }, now);
    return isRefusal(order) ? undefined : order;
  }
}
