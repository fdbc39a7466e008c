/**
 * What an order costs and what a fill moves, per kind of market. `order-flow.ts` runs the life of an order and asks the
 * settlement of its market for the money: `spot-settlement.ts`, `futures/futures-settlement.ts`.
 */
import type { Fee } from '../../clearing/fees.ts';
import type { Decimal } from '../../model/money.ts';
import type { OrderRecord } from './order-record.ts';

export interface Charge extends Fee {
  /** What a fill of a derivative realised before fees, zero when it only opened. */
  readonly realizedPnl?: Decimal;
}

export interface FillCharges {
  readonly taker: Charge;
  readonly maker: Charge;
}

export interface Settlement {
  /** Currency that an order locks, or has to have. */
  lockedCurrency(record: OrderRecord): string;
  /** Locks what the order may use up to `limitTicks`; false when the balance does not cover it. */
  lock(record: OrderRecord, limitTicks: number): boolean;
  /** Moves what a fill moves. The records are those after the fill. */
  fill(taker: OrderRecord, maker: OrderRecord, ticks: number, lots: number): FillCharges;
  /** Releases what a closed order still holds. */
  release(record: OrderRecord): void;
}
