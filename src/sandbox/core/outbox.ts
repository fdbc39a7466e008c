/**
 * What one operation changed and nobody was told yet: own orders, own trades, positions and balances of users. The publisher
 * empties it after every operation, so that events say what REST says. An order that changed several times within one
 * operation is told once, in its last state. Agents never appear: they have no history and no listeners.
 */
import type { VenueFill } from '../../model/fill.ts';
import type { Pocket } from '../../clearing/pocket.ts';
import type { FuturesAccount, Slot } from './futures/account.ts';
import type { OrderRecord } from './order-record.ts';

export class Outbox {
  readonly orders = new Set<OrderRecord>();
  readonly trades = new Map<string, VenueFill[]>();
  /** Per user what changed. */
  readonly balances = new Map<string, Set<Pocket>>();

  readonly positions = new Map<FuturesAccount, Set<Slot>>();

  order(record: OrderRecord): void {
    if (record.trader.history !== null) this.orders.add(record);
  }

  trade(userId: string, fill: VenueFill): void {
    const trades = this.trades.get(userId);
    if (trades === undefined) this.trades.set(userId, [fill]);
    else trades.push(fill);
  }

  balance(pocket: Pocket): void {
    const { userId } = pocket.owner;
    const changed = this.balances.get(userId);
    if (changed === undefined) this.balances.set(userId, new Set([pocket]));
    else changed.add(pocket);
  }

  position(account: FuturesAccount, slot: Slot): void {
    const slots = this.positions.get(account);
    if (slots === undefined) this.positions.set(account, new Set([slot]));
    else slots.add(slot);
  }

  clear(): void {
    this.orders.clear();
    this.trades.clear();
    this.positions.clear();
    this.balances.clear();
  }
}
