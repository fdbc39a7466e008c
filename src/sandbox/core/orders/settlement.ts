/** Money of orders and fills per kind of market, for `order-flow.ts`. */
import type { Fee } from '../../../clearing/fees.ts';
import type { Decimal } from '../../../model/numbers/money.ts';
import type { OrderRecord } from './order-record.ts';

export interface Charge extends Fee {
  /** Before fees; zero for an opening fill. */
  readonly realizedPnl?: Decimal;
}

export interface FillCharges {
  readonly taker: Charge;
  readonly maker: Charge;
}

export interface Settlement {
  lockedCurrency(record: OrderRecord): string;
  /** False when short. */
  lock(record: OrderRecord, limitTicks: number): boolean;
  /** The records hold the fill already. */
  fill(taker: OrderRecord, maker: OrderRecord, ticks: number, lots: number): FillCharges;
  release(record: OrderRecord): void;
}
