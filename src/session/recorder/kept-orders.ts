/** The newest `rowsMax` orders of a run. Refs are unique per strategy. */
import { NumberedIndex } from '../../model/numbered-index.ts';
import { closedOrderStates, type OrderState, type OrderUpdate, type Side } from '../../model/trading/order.ts';
import { BLOCK_ROWS, numberColumn, PackedRows } from './packed-rows.ts';
import type { ResultOrder } from '../result/result.ts';

export interface Sent {
  readonly ts: number;
  readonly mid: number | null;
}

type OrderBlock = ReturnType<typeof orderBlock>;

function orderBlock() {
  return {
    strategy: [] as string[],
    ref: [] as string[],
    tag: [] as string[],
    symbol: [] as string[],
    side: [] as Side[],
    type: [] as string[],
    timeInForce: [] as string[],
    price: [] as (string | null)[],
    quantity: [] as string[],
    filledQuantity: [] as string[],
    averagePrice: [] as (string | null)[],
    state: [] as OrderState[],
    reason: [] as (string | null)[],
    parent: [] as (string | null)[],
    leg: [] as (string | null)[],
    createdTs: numberColumn(),
    updatedTs: numberColumn(),
    mid: numberColumn(),
  };
}

function begin(block: OrderBlock, at: number, strategy: string, order: OrderUpdate, mid: number | null): void {
  block.strategy[at] = strategy;
  block.ref[at] = order.ref;
  block.createdTs[at] = order.ts;
  block.mid[at] = mid ?? Number.NaN;
  block.tag[at] = order.tag;
  block.symbol[at] = order.symbol;
  block.side[at] = order.side;
  block.type[at] = order.type;
  block.timeInForce[at] = order.timeInForce;
  block.price[at] = order.price;
  block.quantity[at] = order.quantity;
  block.parent[at] = order.parent ?? null;
  block.leg[at] = order.leg ?? null;
}

function update(block: OrderBlock, at: number, order: OrderUpdate): void {
  block.filledQuantity[at] = order.filledQuantity;
  block.averagePrice[at] = order.averagePrice;
  block.state[at] = order.state;
  block.reason[at] = order.reason ?? null;
  block.updatedTs[at] = order.ts;
}

function resultOf(block: OrderBlock, at: number): ResultOrder {
  const reason = block.reason[at]!;
  return {
    ref: block.ref[at]!,
    tag: block.tag[at]!,
    symbol: block.symbol[at]!,
    side: block.side[at]!,
    type: block.type[at]!,
    timeInForce: block.timeInForce[at]!,
    price: block.price[at]!,
    quantity: block.quantity[at]!,
    filledQuantity: block.filledQuantity[at]!,
    averagePrice: block.averagePrice[at]!,
    state: block.state[at]!,
    createdTs: block.createdTs[at]!,
    updatedTs: block.updatedTs[at]!,
    parent: block.parent[at]!,
    leg: block.leg[at]!,
    ...(reason === null ? {} : { reason }),
  };
}

export class KeptOrders {
  readonly #rows: PackedRows<OrderBlock>;
  readonly #numbers = new Map<string, NumberedIndex<number>>();

  constructor(rowsMax: number) {
    const isOver = ({ state }: OrderBlock): boolean => state.every((each) => closedOrderStates.has(each));
    const givenUp = (block: OrderBlock, number: number): void => this.#forget(block, number);
    this.#rows = new PackedRows({ rowsMax, block: orderBlock, isOver, givenUp });
  }

  get isCut(): boolean {
    return this.#rows.first > 0;
  }

  get looseCount(): number {
    return this.#rows.looseCount;
  }

  sent(strategy: string, ref: string): Sent | null {
    const number = this.#numbers.get(strategy)?.get(ref);
    const block = number === undefined ? undefined : this.#rows.at(number);
    if (number === undefined || block === undefined) return null;
    const mid = block.mid[number % BLOCK_ROWS]!;
    return { ts: block.createdTs[number % BLOCK_ROWS]!, mid: Number.isNaN(mid) ? null : mid };
  }

  /** `midOf`: asked once an order. */
  told(strategy: string, order: OrderUpdate, midOf: (symbol: string) => number | undefined): void {
    let numbers = this.#numbers.get(strategy);
    if (numbers === undefined) this.#numbers.set(strategy, (numbers = new NumberedIndex()));
    let number = numbers.get(order.ref);
    let block = number === undefined ? undefined : this.#rows.at(number);
    if (number === undefined || block === undefined) {
      number = this.#rows.push();
      block = this.#rows.at(number)!;
      numbers.set(order.ref, number);
      begin(block, number % BLOCK_ROWS, strategy, order, midOf(order.symbol) ?? null);
    }
    update(block, number % BLOCK_ROWS, order);
  }

  /** Adds the rows of a later part of the run. */
  follow(later: KeptOrders): void {
    later.#rows.map((block, at) => {
      const { createdTs, updatedTs, parent, leg, ...terms } = resultOf(block, at) as ResultOrder & OrderUpdate;
      const order = parent === null || leg === null ? terms : { ...terms, parent, leg };
      const mid = block.mid[at]!;
      this.told(block.strategy[at]!, { ...order, ts: createdTs }, () => (Number.isNaN(mid) ? undefined : mid));
      this.told(block.strategy[at]!, { ...order, ts: updatedTs }, () => undefined);
    });
  }

  list(): readonly ResultOrder[] {
    return this.#rows.map(resultOf);
  }

  #forget({ strategy, ref }: OrderBlock, number: number): void {
    for (let at = 0; at < BLOCK_ROWS; at++) {
      const numbers = this.#numbers.get(strategy[at]!)!;
      // Unless a later update gave it another row.
      if (numbers.get(ref[at]!) === number * BLOCK_ROWS + at) numbers.delete(ref[at]!);
    }
  }
}
