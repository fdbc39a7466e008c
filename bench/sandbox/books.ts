/**
 * The contestants of `core.ts` behind one interface: an order book that takes limit and market orders and cancels by id.
 * All hold integer ticks and lots, so that their results can be compared; the two peers take numbers, which these are.
 * A contestant tells each fill only where somebody listens: the peers then read their answers, which takes time.
 */
import { OrderBook as HftBook, Side as HftSide } from 'hft-limit-order-book';
import { OrderBook as NodejsBook, Side as NodejsSide } from 'nodejs-order-book';
import { BID } from '../../src/model/market/market-event.ts';
import { OrderBook, type RestingOrder } from '../../src/sandbox/core/orders/order-book.ts';
import type { OrderCommand } from './order-stream.ts';

/** In the order in which they happen. */
export type OnBookFill = (makerId: string, ticks: number, lots: number) => void;

export interface Book {
  apply(command: OrderCommand): void;
}

export type OpenBook = (onFill: OnBookFill | null) => Book;

/** What both peers answer to an order. */
interface PeerAnswer {
  readonly done: readonly { readonly id: string; readonly size: number }[];
  readonly partial: { readonly id: string; readonly price: number } | null;
  readonly partialQuantityProcessed: number;
  readonly err: { readonly message: string } | null;
}

/** `done` has the makers that were used up and then the taker if it was; `partial` is a maker, or the taker that rests. */
function tell(takerId: string, answer: PeerAnswer, onFill: OnBookFill): void {
  if (answer.err !== null) throw new Error(answer.err.message);
  for (const order of answer.done) {
    if (order.id === takerId) continue;
    if (!('price' in order) || typeof order.price !== 'number') throw new Error('a maker without a price');
    onFill(order.id, order.price, order.size);
  }
  const { partial } = answer;
  if (partial !== null && partial.id !== takerId) onFill(partial.id, partial.price, answer.partialQuantityProcessed);
}

export const openHft: OpenBook = (onFill) => {
  const book = new HftBook();
  return {
    apply(command) {
      if (command.kind === 'cancel') {
        book.cancel(command.id);
        return;
      }
      const side = command.side === BID ? HftSide.BUY : HftSide.SELL;
      const answer =
        command.kind === 'market'
          ? book.market({ side, size: command.lots })
          : book.limit({ side, id: command.id, size: command.lots, price: command.ticks });
      if (onFill !== null) tell(command.id, answer, onFill);
    },
  };
};

export const openNodejs: OpenBook = (onFill) => {
  const book = new NodejsBook();
  return {
    apply(command) {
      if (command.kind === 'cancel') {
        book.cancel(command.id);
        return;
      }
      const side = command.side === BID ? NodejsSide.BUY : NodejsSide.SELL;
      const answer =
        command.kind === 'market'
          ? book.market({ side, size: command.lots })
          : book.limit({ side, id: command.id, size: command.lots, price: command.ticks });
      if (onFill !== null) tell(command.id, answer, onFill);
    },
  };
};

/** The book of the sandbox with the index by id that the peers have inside. */
export const openOurs: OpenBook = (listener) => {
  const book = new OrderBook<string>();
  const orders = new Map<string, RestingOrder<string>>();
  const onFill = (maker: RestingOrder<string>, lots: number): void => {
    if (maker.lots === 0) orders.delete(maker.owner);
    listener?.(maker.owner, maker.ticks, lots);
  };
  return {
    apply(command) {
      if (command.kind === 'cancel') {
        const order = orders.get(command.id);
        if (order === undefined) return;
        book.remove(order);
        orders.delete(command.id);
        return;
      }
      const { side, lots } = command;
      if (command.kind === 'market') {
        book.match(side, side === BID ? Number.POSITIVE_INFINITY : 0, lots, onFill);
        return;
      }
      const left = book.match(side, command.ticks, lots, onFill);
      if (left > 0) orders.set(command.id, book.rest(command.id, side, command.ticks, left));
    },
  };
};
