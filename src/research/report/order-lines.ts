/** Limit orders as lines for the price chart. Filled orders first, then an even choice. */
import type { ResultDocument, ResultOrder } from '../../session/result/result.ts';
import { closedOrderStates, type OrderState } from '../../model/trading/order.ts';

export interface OrderLine {
  readonly from: number;
  readonly to: number;
  readonly price: number;
  readonly side: 'buy' | 'sell';
}

export interface OrderLines {
  readonly lines: readonly OrderLine[];
  /** Count before the choice. */
  readonly total: number;
}

export const ORDERS_MAX = 2000;

const CLOSED: ReadonlySet<string> = closedOrderStates satisfies ReadonlySet<OrderState>;

export function orderLines({ orders, period }: ResultDocument, symbol: string): OrderLines {
  // Denied and rejected orders never rested.
  const stood = orders.filter(
    (order) =>
      order.symbol === symbol && order.price !== null && !['denied', 'rejected', 'never_arrived'].includes(order.state),
  );
  const lines = chosen(stood)
    .map((order) => ({
      from: order.createdTs,
      to: CLOSED.has(order.state) ? order.updatedTs : Math.max(order.updatedTs, period.to),
      price: Number(order.price),
      side: order.side,
    }))
    .toSorted((a, b) => a.from - b.from);
  return { lines, total: stood.length };
}

function chosen(orders: readonly ResultOrder[]): readonly ResultOrder[] {
  if (orders.length <= ORDERS_MAX) return orders;
  const isFilled = ({ filledQuantity }: ResultOrder): boolean => Number(filledQuantity) > 0;
  const filled = evenly(orders.filter(isFilled), ORDERS_MAX);
  return [
    ...filled,
    ...evenly(
      orders.filter((order) => !isFilled(order)),
      ORDERS_MAX - filled.length,
    ),
  ];
}

function evenly<T>(rows: readonly T[], most: number): readonly T[] {
  if (rows.length <= most) return rows;
  return Array.from({ length: most }, (_, index) => rows[Math.floor((index * rows.length) / most)]!);
}
