/**
 * FIFO-matched trades per strategy position. A lot is what a fill changes the position by: a fee in base is no part of
 * it, and counts as a cost. Fees are shared by quantity, the last part taking the rest.
 */
import { type Decimal, ZERO } from '../model/numbers/money.ts';
import { type FillValue, positionChange, positionKey } from './valuation.ts';

export interface Trade {
  readonly symbol: string;
  readonly direction: 'long' | 'short';
  /** Units of the instrument, less a fee in base. */
  readonly quantity: number;
  readonly entryTs: number;
  readonly exitTs: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly entryMid: number | null;
  readonly exitMid: number | null;
  /** Reporting currency per unit of price and quantity, at the exit. */
  readonly unit: number;
  /** Reporting currency, net of fees, without funding. */
  readonly pnl: number;
  readonly fees: number;
  readonly entryTag: string;
  readonly exitTag: string;
  /** Absent in older results. */
  readonly strategy?: string;
}

/** A fill, or what is left of one. */
interface Lot {
  readonly value: FillValue;
  readonly direction: 1 | -1;
  quantity: Decimal;
  fee: Decimal;
}

/** A FIFO with cheap removal. */
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

/** Ordered by exit. A fee of unknown worth counts as 0; `compute.ts` warns. */
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
    closeLots(queue, lotOf(value), trades);
  }
  return trades;
}

function lotOf(value: FillValue): Lot {
  const change = positionChange(value);
  return { value, direction: change.isNegative() ? -1 : 1, quantity: change.abs(), fee: value.fee ?? ZERO };
}

function closeLots(queue: LotQueue, exit: Lot, trades: Trade[]): void {
  for (;;) {
    if (exit.quantity.isZero()) return;
    const entry = queue.first();
    if (entry === undefined || entry.direction === exit.direction) break;
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
  const { direction } = entry;
  const { fill, price } = entry.value;
  const { unit } = exit.value;
  const move = exit.value.price.minus(price).times(direction);
  return {
    symbol: fill.symbol,
    direction: direction === 1 ? 'long' : 'short',
    quantity: quantity.toNumber(),
    entryTs: fill.ts,
    exitTs: exit.value.fill.ts,
    entryPrice: price.toNumber(),
    exitPrice: exit.value.price.toNumber(),
    entryMid: fill.mid,
    exitMid: exit.value.fill.mid,
    unit: unit.toNumber(),
    pnl: move.times(quantity).times(unit).minus(fees).toNumber(),
    fees: fees.toNumber(),
    entryTag: fill.tag,
    exitTag: exit.value.fill.tag,
    ...(fill.strategy === undefined ? {} : { strategy: fill.strategy }),
  };
}

/** Takes from the lot the fee of `quantity`. */
function takeFee(lot: Lot, quantity: Decimal): Decimal {
  const whole = quantity.eq(lot.quantity);
  const part = whole || lot.fee.isZero() ? lot.fee : lot.fee.times(quantity).div(lot.quantity);
  lot.fee = lot.fee.minus(part);
  return part;
}
