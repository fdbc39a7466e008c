/**
 * A desk does the money of one symbol: what an order locks, what a fill moves, what is released when it ends. The venue
 * holds one per symbol, `spot-desk.ts` or `perpetual-desk.ts`.
 */
import type { VenuePosition } from '../model/account.ts';
import type { Decimal } from '../model/money.ts';
import type { Liquidity } from '../model/order.ts';
import type { Fee } from '../clearing/fees.ts';
import type { OrderRecord } from './order-record.ts';

/** One level that a taker would trade now. */
export interface PlannedFill {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

export interface SettledFill {
  readonly fee: Fee;
  /** Perpetuals only. */
  readonly realizedPnl?: Decimal;
}

export interface Desk {
  /** Locks what the order needs; false, and nothing changes, when the account does not have it. */
  reserve(record: OrderRecord, planned: readonly PlannedFill[]): boolean;
  /** Whether the account can pay for this fill of a market order, for which nothing is locked. */
  covers(record: OrderRecord, fill: PlannedFill): boolean;
  /** Locks again for an order that was open before a restart; false when the account cannot have held it. */
  rejoin(record: OrderRecord): boolean;
  /** Moves the money of a fill. Called after the record counted it. */
  settle(record: OrderRecord, ticks: number, lots: number, liquidity: Liquidity): SettledFill;
  /** The order has ended: what is still locked for it is free again. */
  release(record: OrderRecord): void;
  /** True for orders that may only reduce: flagged so, or closing a side in hedge mode. */
  mustReduce(record: OrderRecord): boolean;
  /** True when an order of this side and quantity reduces the position and no more. */
  reduces(record: OrderRecord, quantity: Decimal): boolean;
  /** One row per position side, flat ones too; none on spot. */
  positions(): readonly VenuePosition[];
}
