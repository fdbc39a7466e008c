/** Ports between the parts of `Futures`. */
import type { Assumed } from '../assumptions.ts';
import type { FlowPorts, OrderFlow } from '../orders/order-flow.ts';
import type { OrderRecord, SymbolMarket, Trader } from '../orders/order-record.ts';
import type { OwnOrders } from '../orders/own-orders.ts';
import type { PerpetualData } from '../market/perpetuals.ts';
import type { AccountTimers } from '../timers.ts';
import type { Transactions } from '../money/transactions.ts';
import type { FuturesAccount } from './account.ts';
import type { Slot } from './slot.ts';
export interface FuturesDeps {
  readonly assumed: Assumed;
  readonly markets: ReadonlyMap<string, SymbolMarket>;
  readonly orders: OwnOrders;
  readonly transactions: Transactions;
  readonly timers: AccountTimers;
  readonly flow: FlowPorts;
  readonly startMs: number;
  /** Cancels spot orders that lock a currency. */
  readonly freeSpotLocks: (trader: Trader, currency: string, now: number) => void;
}

export interface FuturesParts {
  readonly perpetuals: ReadonlyMap<string, PerpetualData>;
  readonly flow: OrderFlow;
  readonly deps: FuturesDeps;
  accountOf(trader: Trader): FuturesAccount;
  /** Null for agents. */
  slotOf(record: OrderRecord): Slot | null;
  announce(slot: Slot, trader: Trader): void;
  onChange(slot: Slot, trader: Trader, now: number): void;
}
