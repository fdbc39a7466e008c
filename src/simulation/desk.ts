/**
 * A desk does the money of one symbol by the rules of `clearing/`: what an order locks, what a fill moves, what is released
 * when it ends. The venue holds one per symbol, `spot-desk.ts` or `perpetual-desk.ts`.
 */
import type { Fee } from '../clearing/fees.ts';
import type { ClearingRefusal } from '../clearing/refusal.ts';
import type { Walk } from '../clearing/perpetual/order-margin.ts';
import type { PositionRow } from '../clearing/perpetual/position-row.ts';
import type { Decimal } from '../model/money.ts';
import type { Liquidity } from '../model/order.ts';
import type { OrderRecord } from './order-record.ts';

export interface SettledFill {
  readonly fee: Fee;
  /** Perpetuals only. */
  readonly realizedPnl?: Decimal;
}

export interface Desk {
  /** Locks what the order needs, or says why not and changes nothing. */
  admit(record: OrderRecord, walk: Walk): ClearingRefusal | undefined;
  /** Whether the account can pay for this fill of a market order, for which nothing is locked. */
  covers(record: OrderRecord, ticks: number, lots: number): boolean;
  /** Locks again for an order that was open before a restart; false when the account cannot have held it. */
  rejoin(record: OrderRecord): boolean;
  /** Moves the money of a fill. Called after the record counted it. */
  settle(record: OrderRecord, ticks: number, lots: number, liquidity: Liquidity): SettledFill;
  /** The order has ended: what is still locked for it is free again. */
  release(record: OrderRecord): void;
  /** One row per position side, flat ones too; none on spot. */
  positions(): readonly PositionRow[];
}
