/**
 * Mirrors a recorded book with an agent's orders, so users queue among them. Growth adds behind the rest; shrinking
 * removes the youngest first.
 */
import { ASK, BID, type BookSide, type DepthEvent } from '../../model/market/market-event.ts';
import type { OrderRecord } from '../core/orders/order-record.ts';
import type { AgentOrders } from './agent-orders.ts';

type Levels = Map<number, OrderRecord[]>;

export class MirroredBook {
  readonly #desk: AgentOrders;
  readonly #sides: Readonly<Record<BookSide, Levels>> = { [BID]: new Map(), [ASK]: new Map() };

  constructor(desk: AgentOrders) {
    this.#desk = desk;
  }

  /** Shrinks first, so it never crosses itself. */
  apply({ levels, snapshot }: DepthEvent, now: number): void {
    const wanted: Readonly<Record<BookSide, Map<number, number>>> = { [BID]: new Map(), [ASK]: new Map() };
    if (snapshot) {
      for (const side of [BID, ASK] as const) {
        for (const ticks of this.#sides[side].keys()) wanted[side].set(ticks, 0);
      }
    }
    for (let row = levels.from; row < levels.to; row++) {
      wanted[levels.sides[row] === BID ? BID : ASK].set(levels.ticks[row] ?? 0, levels.lots[row] ?? 0);
    }
    for (const side of [BID, ASK] as const) {
      for (const [ticks, lots] of wanted[side]) this.#shrink(side, ticks, lots, now);
    }
    for (const side of [BID, ASK] as const) {
      for (const [ticks, lots] of wanted[side]) this.#grow(side, ticks, lots, now);
    }
  }

  /** A recorded print trades with resting orders, users' included, and is published whole. */
  trade(tradeId: string, ticks: number, lots: number, takerBuys: boolean, now: number): void {
    const side = takerBuys ? 'buy' : 'sell';
    const left = this.#desk.submit(side, ticks, lots, 'ioc', now)?.leftLots ?? lots;
    if (left > 0) this.#desk.market.record({ tradeId, ticks, lots: left, side, ts: now });
  }

  #shrink(side: BookSide, ticks: number, lots: number, now: number): void {
    const orders = this.#living(side, ticks);
    let excess = sum(orders) - lots;
    while (excess > 0) {
      const youngest = orders.pop();
      if (youngest === undefined) break;
      excess -= youngest.leftLots;
      this.#desk.cancel(youngest, now);
    }
    this.#keep(side, ticks, orders);
  }

  #grow(side: BookSide, ticks: number, lots: number, now: number): void {
    const orders = this.#living(side, ticks);
    const missing = lots - sum(orders);
    if (missing > 0) {
      this.#clearCrossed(side, ticks, now);
      const placed = this.#desk.submit(side === BID ? 'buy' : 'sell', ticks, missing, 'gtc', now);
      if (placed?.isActive === true) orders.push(placed);
    }
    this.#keep(side, ticks, orders);
  }

  #clearCrossed(side: BookSide, ticks: number, now: number): void {
    const other = side === BID ? ASK : BID;
    const { book } = this.#desk.market;
    const best = other === ASK ? book.askTicks : book.bidTicks;
    if (best === 0 || (side === BID ? best > ticks : best < ticks)) return;
    for (const level of this.#sides[other].keys()) {
      if (side === BID ? level <= ticks : level >= ticks) this.#shrink(other, level, 0, now);
    }
  }

  #living(side: BookSide, ticks: number): OrderRecord[] {
    return (this.#sides[side].get(ticks) ?? []).filter((order) => order.isActive);
  }

  #keep(side: BookSide, ticks: number, orders: OrderRecord[]): void {
    if (orders.length === 0) this.#sides[side].delete(ticks);
    else this.#sides[side].set(ticks, orders);
  }
}

function sum(orders: readonly OrderRecord[]): number {
  let lots = 0;
  for (const order of orders) lots += order.leftLots;
  return lots;
}
