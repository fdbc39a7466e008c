/**
 * The orders of a run for its result: a row each, which has the newest update of its order. Refs are unique per strategy,
 * whatever tag an action bears. Bound: the newest `rowsMax`; those that are over lie compressed (`packed-rows.ts`).
 * Of `run-recorder.ts`.
 */
import { closedOrderStates, type OrderUpdate } from '../model/order.ts';
import { BLOCK_ROWS, PackedRows, type RowColumns } from './packed-rows.ts';
import type { ResultOrder } from './result.ts';

type Told = Omit<OrderUpdate, 'orderId' | 'positionSide' | 'reduceOnly' | 'postOnly' | 'message'>;

interface OrderRow {
  order: Told;
  readonly createdTs: number;
  /** Mid when it was sent. */
  readonly arrivalMid: number | null;
}

type Texts = readonly [
  ref: string,
  tag: string,
  symbol: string,
  side: Told['side'],
  type: Told['type'],
  timeInForce: Told['timeInForce'],
  price: string | null,
  quantity: string,
  filledQuantity: string,
  averagePrice: string | null,
  state: Told['state'],
  reason: string | null,
];

type Numbers = readonly [updatedTs: number, createdTs: number, arrivalMid: number | null];

const columns: RowColumns<OrderRow, Texts, Numbers> = {
  texts: ({ order }) => [
    order.ref,
    order.tag,
    order.symbol,
    order.side,
    order.type,
    order.timeInForce,
    order.price,
    order.quantity,
    order.filledQuantity,
    order.averagePrice,
    order.state,
    order.reason ?? null,
  ],
  numbers: ({ order, createdTs, arrivalMid }) => [order.ts, createdTs, arrivalMid],
  row: (texts, [ts, createdTs, arrivalMid]) => {
    const [ref, tag, symbol, side, type, timeInForce, price, quantity, filledQuantity, averagePrice, state] = texts;
    const named = { ref, tag, symbol, side, type, timeInForce, price, quantity, filledQuantity, averagePrice, state };
    const reason = texts[11];
    return { order: { ts, ...named, ...(reason === null ? {} : { reason }) }, createdTs, arrivalMid };
  },
};

function resultOf({ order, createdTs }: OrderRow): ResultOrder {
  const { ref, tag, symbol, side, type, timeInForce, price, quantity, filledQuantity, averagePrice, state } = order;
  const named = { ref, tag, symbol, side, type, timeInForce, price, quantity, filledQuantity, averagePrice, state };
  const { ts: updatedTs, reason } = order;
  return { ...named, createdTs, updatedTs, ...(reason === undefined ? {} : { reason }) };
}

export class KeptOrders {
  readonly #rows: PackedRows<OrderRow, Texts, Numbers>;
  /** By strategy and ref, oldest first: the number of its row. */
  readonly #numbers = new Map<string, Map<string, number>>();

  constructor(rowsMax: number) {
    this.#rows = new PackedRows({ rowsMax, isOver: ({ order }) => closedOrderStates.has(order.state), columns });
  }

  /** The oldest were given up. */
  get isCut(): boolean {
    return this.#rows.first > 0;
  }

  /** Rows that lie there as objects. */
  get looseCount(): number {
    return this.#rows.looseCount;
  }

  of(strategy: string, ref: string): Readonly<OrderRow> | undefined {
    return this.#find(this.#numbers.get(strategy)?.get(ref));
  }

  /** `mid` is that of now. */
  told(strategy: string, order: OrderUpdate, mid: number | null): void {
    let numbers = this.#numbers.get(strategy);
    if (numbers === undefined) {
      numbers = new Map();
      this.#numbers.set(strategy, numbers);
    }
    const before = this.#find(numbers.get(order.ref));
    if (before !== undefined) {
      before.order = order;
      return;
    }
    const number = this.#rows.push({ order, createdTs: order.ts, arrivalMid: mid });
    // To the end, if it was one of those that were given up.
    numbers.delete(order.ref);
    numbers.set(order.ref, number);
    if (number % BLOCK_ROWS === 0) this.#forgetOld();
  }

  list(): readonly ResultOrder[] {
    return Array.from(this.#rows, resultOf);
  }

  #find(number: number | undefined): OrderRow | undefined {
    return number === undefined ? undefined : this.#rows.at(number);
  }

  /** Once a block, since a map walks over what was deleted from it. */
  #forgetOld(): void {
    const { first } = this.#rows;
    for (const numbers of this.#numbers.values()) {
      for (const [ref, number] of numbers) {
        if (number >= first) break;
        numbers.delete(ref);
      }
    }
  }
}
