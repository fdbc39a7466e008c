/**
 * What an order costs and what a fill moves, per kind of market. `order-flow.ts` runs the life of an order and asks the
 * settlement of its market for the money. `spot-settlement.ts` settles spot; a market without money for users, as the
 * perpetuals are until their margin accounts exist, uses `noSettlement`.
 */
import { ZERO, type Decimal } from '../../model/money.ts';
import type { OrderRecord } from './order-record.ts';

export interface Charge {
  readonly fee: Decimal;
  readonly currency: string;
}

export interface FillCharges {
  readonly taker: Charge;
  readonly maker: Charge;
}

export interface Settlement {
  /** Locks what the order may use up to `limitTicks`; false when the balance does not cover it. */
  lock(record: OrderRecord, limitTicks: number): boolean;
  /** Moves what a fill moves. */
  fill(taker: OrderRecord, maker: OrderRecord, ticks: number, lots: number): FillCharges;
  /** Releases what a closed order still holds. */
  release(record: OrderRecord): void;
}

const free: Charge = { fee: ZERO, currency: '' };
const freeOfCharge: FillCharges = { taker: free, maker: free };

export const noSettlement: Settlement = { lock: () => true, fill: () => freeOfCharge, release: () => {} };
