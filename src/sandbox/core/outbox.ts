/**
 * Unpublished changes of users' orders, trades, positions and balances, drained after every operation. Several changes
 * of an order are published once.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Pocket } from '../../clearing/pocket.ts';
import type { Slot } from './futures/slot.ts';
import type { OrderRecord } from './orders/order-record.ts';

export class Outbox {
  readonly orders = new Set<OrderRecord>();
  readonly trades: { readonly userId: string; readonly fill: VenueFill }[] = [];
  readonly balances = new Set<Pocket>();
  readonly positions = new Map<Slot, string>();

  order(record: OrderRecord): void {
    if (record.trader.history !== null) this.orders.add(record);
  }

  clear(): void {
    this.orders.clear();
    this.trades.length = 0;
    this.balances.clear();
    this.positions.clear();
  }
}
