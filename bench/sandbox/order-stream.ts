/**
 * A seeded stream of orders for one instrument: 45 % limit orders away from the touch, 40 % cancels, most of them of
 * young orders near the touch, 15 % that take (limit orders through the touch and market orders). It begins with the
 * orders that fill the book. A cancel may name an order that was filled before, as in life.
 *
 * A book of the sandbox runs along, so that "away" and "through" are true when the order is made; what the contestants
 * fill is compared afterwards (`core.ts`).
 */
import { ASK, BID, type BookSide } from '../../src/model/market/market-event.ts';
import { exponential, seededRandom } from '../../src/model/random.ts';
import type { Random } from '../../src/model/ports.ts';
import { OrderBook, type RestingOrder } from '../../src/sandbox/core/orders/order-book.ts';

export type OrderCommand =
  | {
      readonly kind: 'limit';
      readonly id: string;
      readonly side: BookSide;
      readonly ticks: number;
      readonly lots: number;
    }
  | { readonly kind: 'market'; readonly id: string; readonly side: BookSide; readonly lots: number }
  | { readonly kind: 'cancel'; readonly id: string };

export interface OrderStream {
  /** Limit orders that rest when the clock starts. */
  readonly opening: readonly OrderCommand[];
  readonly commands: readonly OrderCommand[];
}

const MID_TICKS = 6_000_000;
const OPENING_ORDERS = 6000;
/** Mean distance of a resting order from the touch, ticks. */
const DISTANCE_TICKS = 300;
const LOTS_MEAN = 4000;
/** At least 6 USDT at 60,000 with lots of 0.00001 BTC. */
const LOTS_MIN = 10;
const AWAY_SHARE = 0.45;
const CANCEL_SHARE = 0.4;
const MARKET_SHARE_OF_TAKERS = 0.3;
/** Share of cancels that name one of the last hundred orders. */
const YOUNG_SHARE = 0.7;

class Generator {
  readonly #random: Random;
  readonly #book = new OrderBook<string>();
  readonly #resting = new Map<string, RestingOrder<string>>();
  readonly #ids: string[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  away(): OrderCommand {
    const side = this.#side();
    const touch = side === BID ? this.#book.bidTicks : this.#book.askTicks;
    const distance = Math.floor(exponential(this.#random, DISTANCE_TICKS));
    const start = touch === 0 ? MID_TICKS + (side === BID ? -1 : 1) : touch;
    return this.#limit(side, side === BID ? start - distance : start + distance);
  }

  take(): OrderCommand {
    const side = this.#side();
    if (this.#random.next() < MARKET_SHARE_OF_TAKERS) {
      const lots = this.#lots();
      this.#match(side, side === BID ? Number.POSITIVE_INFINITY : 0, lots);
      return { kind: 'market', id: this.#nextId(), side, lots };
    }
    const through = Math.floor(exponential(this.#random, 20));
    return this.#limit(side, side === BID ? this.#book.askTicks + through : this.#book.bidTicks - through);
  }

  cancel(): OrderCommand {
    const young = this.#random.next() < YOUNG_SHARE;
    const from = young ? Math.max(0, this.#ids.length - 100) : 0;
    const at = from + Math.floor(this.#random.next() * (this.#ids.length - from));
    const id = this.#ids[at] ?? '';
    this.#ids[at] = this.#ids[this.#ids.length - 1] ?? '';
    this.#ids.pop();
    const order = this.#resting.get(id);
    if (order !== undefined) this.#book.remove(order);
    this.#resting.delete(id);
    return { kind: 'cancel', id };
  }

  next(): OrderCommand {
    const chance = this.#random.next();
    if (chance < AWAY_SHARE) return this.away();
    return chance < AWAY_SHARE + CANCEL_SHARE ? this.cancel() : this.take();
  }

  #limit(side: BookSide, ticks: number): OrderCommand {
    const id = this.#nextId();
    const lots = this.#lots();
    const left = this.#match(side, ticks, lots);
    if (left > 0) {
      this.#resting.set(id, this.#book.rest(id, side, ticks, left));
      this.#ids.push(id);
    }
    return { kind: 'limit', id, side, ticks, lots };
  }

  #match(side: BookSide, limitTicks: number, lots: number): number {
    return this.#book.match(side, limitTicks, lots, (maker) => {
      if (maker.lots === 0) this.#resting.delete(maker.owner);
    });
  }

  #side(): BookSide {
    return this.#random.next() < 0.5 ? BID : ASK;
  }

  #lots(): number {
    return LOTS_MIN + Math.ceil(exponential(this.#random, LOTS_MEAN));
  }

  #nextId(): string {
    return `1700000000${String(++this.#count).padStart(9, '0')}`;
  }
}

export function orderStream(seed: number, count: number): OrderStream {
  const generator = new Generator(seed);
  return {
    opening: Array.from({ length: OPENING_ORDERS }, () => generator.away()),
    commands: Array.from({ length: count }, () => generator.next()),
  };
}
