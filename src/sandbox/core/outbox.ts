/**
 * What one operation changed and nobody was told yet: own orders, own trades, positions and balances of users. The publisher
 * empties it after every operation, so that events say what REST says. An order that changed several times within one
 * operation is told once, in its last state. Agents never appear: they have no history and no listeners.
 */
import type { VenueFill } from '../../model/fill.ts';
import type { Pocket } from '../../clearing/pocket.ts';
import type { Slot } from './futures/account.ts';
import type { OrderRecord } from './order-record.ts';

export class Outbox {
  readonly orders = new Set<OrderRecord>();
  readonly trades: { readonly userId: string; readonly fill: VenueFill }[] = [];
  readonly balances = new Set<Pocket>();
  /** By position its user. */
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
