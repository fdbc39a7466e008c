/**
 * Trades that are reported for one own order and listed for another. A trade is booked once: what the list of own trades
 * says counts, so the booking of the other order is withdrawn first.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import { NumberedIndex } from '../../model/numbered-index.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { Core } from '../core.ts';
import { bookCorrection } from './contradicted-trade.ts';

const NEWEST_MAX = 4_096;

/** Owners of the newest booked trades of this process, by trade id. */
export class BookedTrades {
  #newest = new NumberedIndex<OwnOrder[]>();
  #older = new NumberedIndex<OwnOrder[]>();
  #count = 0;

  note(order: OwnOrder, tradeId: string): void {
    if (this.#count >= NEWEST_MAX) {
      this.#older = this.#newest;
      this.#newest = new NumberedIndex();
      this.#count = 0;
    }
    const owners = this.#newest.get(tradeId);
    if (owners !== undefined) {
      owners.push(order);
      return;
    }
    this.#newest.set(tradeId, [order]);
    this.#count++;
  }

  /** Another order of the same side that has the trade. Both orders of a trade with oneself have it, on two sides. */
  otherOwner(order: OwnOrder, tradeId: string): OwnOrder | undefined {
    return otherOf(this.#newest.get(tradeId), order, tradeId) ?? otherOf(this.#older.get(tradeId), order, tradeId);
  }
}

function otherOf(owners: readonly OwnOrder[] | undefined, order: OwnOrder, tradeId: string): OwnOrder | undefined {
  const { side, instrument } = order;
  return owners?.find(
    (one) => one !== order && one.side === side && one.instrument.symbol === instrument.symbol && holds(one, tradeId),
  );
}

/** Call with a list of own trades, before its trades are booked. */
export function withdrawMoved(core: Core, listed: readonly VenueFill[]): void {
  const { orders } = core.state;
  for (const trade of listed) {
    const { tradeId } = trade;
    const order = orders.byOrderId(trade.orderId);
    if (order === undefined || holds(order, tradeId)) continue;
    const other = holderOf(core, order, tradeId);
    if (other === undefined) continue;
    // Some exchanges give one id to all that an order of another took at once.
    if (listed.some((row) => row.tradeId === tradeId && row.orderId === other.orderId)) continue;
    core.alarm(
      'contradiction',
      `trade ${trade.tradeId} is booked for ${other.ref} and listed for ${order.ref}: it is booked there from now on`,
    );
    move(core, other, trade, other.side === 'buy' ? 'sell' : 'buy');
    // One that was withdrawn from this order comes back. Another is booked as any listed trade is.
    if (order.progress.trades?.has(trade.tradeId) === true) move(core, order, trade, order.side);
  }
}

function holderOf({ state: { orders } }: Core, { instrument, side }: OwnOrder, tradeId: string): OwnOrder | undefined {
  for (const known of [orders.allLive(), orders.remembered()])
    for (const one of known) {
      const isOfMarket = one.side === side && one.instrument.symbol === instrument.symbol;
      if (isOfMarket && holds(one, tradeId)) return one;
    }
  return undefined;
}

/** Withdrawn and returned in turn. */
function holds(order: OwnOrder, tradeId: string): boolean {
  return order.progress.trades?.has(tradeId) === true && movesOf(order, tradeId) % 2 === 0;
}

function movesOf({ progress }: OwnOrder, tradeId: string): number {
  let moves = 0;
  while (progress.trades?.has(moveId(tradeId, moves + 1)) === true) moves++;
  return moves;
}

function moveId(tradeId: string, number: number): string {
  return `${tradeId}/moved-${number}`;
}

/** `side`: the other one than the order's withdraws. */
function move(core: Core, order: OwnOrder, listed: VenueFill, side: Side): void {
  const { orderId } = order;
  const booked = order.progress.trades?.termsOf(listed.tradeId);
  if (booked === undefined || orderId === undefined) return;
  const { quantity, price, feeCurrency = listed.feeCurrency } = booked;
  const fee = side === order.side ? booked.fee : decimalText(dec(booked.fee).neg());
  const { realizedPnl: _whole, ...terms } = listed;
  const tradeId = moveId(listed.tradeId, movesOf(order, listed.tradeId) + 1);
  bookCorrection(core, order, Object.freeze({ ...terms, orderId, side, quantity, price, fee, feeCurrency, tradeId }));
}
