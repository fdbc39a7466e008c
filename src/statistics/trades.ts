/**
 * From fills to trades. A trade is one FIFO-matched pair of lots: the part of an entry fill that one exit fill of the same
 * position closes. Positions are each strategy's own: what one buys another does not sell. A
 * sell without a long lot opens a short one. Quantities are those of the fills; fees are a cost, shared out by quantity,
 * the last part of a lot taking what remains, so that the trades' fees add up exactly.
 */
import { type Decimal, ZERO } from '../model/money.ts';
import { type FillValue, positionKey } from './valuation.ts';

export interface Trade {
  readonly symbol: string;
  readonly direction: 'long' | 'short';
  /** Units of the instrument. */
  readonly quantity: number;
  readonly entryTs: number;
  readonly exitTs: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** Reporting currency per unit of price and quantity. */
  readonly unit: number;
  /** Reporting currency, net of both fees, without funding. */
  readonly pnl: number;
  readonly fees: number;
  readonly entryTag: string;
  readonly exitTag: string;
  /** Whose it is; absent in results of before. */
  readonly strategy?: string;
}

/** A fill, or what is left of one. */
interface Lot {
  readonly value: FillValue;
  quantity: Decimal;
  fee: Decimal;
}

/** First in, first out, without moving the rest at each removal. */
class LotQueue {
  #lots: Lot[] = [];
  #head = 0;

  first(): Lot | undefined {
    return this.#lots[this.#head];
  }

  add(lot: Lot): void {
    this.#lots.push(lot);
  }

  removeFirst(): void {
    this.#head++;
    if (this.#head > 1024 && this.#head * 2 > this.#lots.length) {
      this.#lots = this.#lots.slice(this.#head);
      this.#head = 0;
    }
  }
}

/** Trades in order of their exits. A fee of unknown worth counts as nothing here; `compute.ts` warns of it. */
export function matchTrades(values: readonly FillValue[]): Trade[] {
  const queues = new Map<string, LotQueue>();
  const trades: Trade[] = [];
  for (const value of values) {
    const key = positionKey(value.fill);
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = new LotQueue();
      queues.set(key, queue);
    }
    closeLots(queue, { value, quantity: value.quantity, fee: value.fee ?? ZERO }, trades);
  }
  return trades;
}

function closeLots(queue: LotQueue, exit: Lot, trades: Trade[]): void {
  for (;;) {
    if (exit.quantity.isZero()) return;
    const entry = queue.first();
    if (entry === undefined || entry.value.direction === exit.value.direction) break;
    trades.push(matchPair(entry, exit));
    if (entry.quantity.isZero()) queue.removeFirst();
  }
  queue.add(exit);
}

function matchPair(entry: Lot, exit: Lot): Trade {
  const quantity = entry.quantity.lt(exit.quantity) ? entry.quantity : exit.quantity;
  const fees = takeFee(entry, quantity).plus(takeFee(exit, quantity));
  entry.quantity = entry.quantity.minus(quantity);
  exit.quantity = exit.quantity.minus(quantity);
  const { fill, direction, price, unit } = entry.value;
  const move = exit.value.price.minus(price).times(direction);
  return {
    symbol: fill.symbol,
    direction: direction === 1 ? 'long' : 'short',
    quantity: quantity.toNumber(),
    entryTs: fill.ts,
    exitTs: exit.value.fill.ts,
    entryPrice: price.toNumber(),
    exitPrice: exit.value.price.toNumber(),
    unit: unit.toNumber(),
    pnl: move.times(quantity).times(unit).minus(fees).toNumber(),
    fees: fees.toNumber(),
    entryTag: fill.tag,
    exitTag: exit.value.fill.tag,
    ...(fill.strategy === undefined ? {} : { strategy: fill.strategy }),
  };
}

/** The fee of `quantity` of a lot, taken from it. */
function takeFee(lot: Lot, quantity: Decimal): Decimal {
  const whole = quantity.eq(lot.quantity);
  const part = whole || lot.fee.isZero() ? lot.fee : lot.fee.times(quantity).div(lot.quantity);
  lot.fee = lot.fee.minus(part);
  return part;
}
