/**
 * The value of everything that works on the account stays below its limit (INV-R2), by the exchange's own books: what rests,
 * at its prices. Orders that only reduce pass above it, as at every limit.
 */
import { ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import type { OrderRecord } from '../../../src/sandbox/core/orders/order-record.ts';

export function openNotional(active: Iterable<OrderRecord>, counts: (orderId: string) => boolean): Decimal {
  let sum = ZERO;
  for (const { orderId, order, leftLots, market } of active) {
    if (order.ticks === null || !counts(orderId)) continue;
    const { instrument } = market;
    sum = sum.plus(instrument.exactQuantity(leftLots).times(instrument.exactPrice(order.ticks)));
  }
  return sum;
}
