/** Money of one symbol by the rules of `clearing/`; the venue has one handler per symbol. */
import type { Fee } from '../../clearing/fees.ts';
import type { ClearingRefusal } from '../../clearing/refusal.ts';
import type { Walk } from '../../clearing/perpetual/order-margin.ts';
import type { PositionRow } from '../../clearing/perpetual/position-row.ts';
import type { Decimal } from '../../model/numbers/money.ts';
import type { Liquidity } from '../../model/trading/order.ts';
import type { OrderRecord } from '../venue/order-record.ts';

export interface SettledFill {
  readonly fee: Fee;
  readonly realizedPnl?: Decimal;
}

export interface MarketHandler {
  /** Locks what the order needs; a refusal changes nothing. */
  admit(record: OrderRecord, walk: Walk): ClearingRefusal | undefined;
  /** Whether the account can pay for a market order's fill; nothing is locked for it. */
  covers(record: OrderRecord, ticks: number, lots: number): boolean;
  /** After a restart; false when the account cannot have held the lock. */
  rejoin(record: OrderRecord): boolean;
  /** Called after the record counted the fill. */
  settle(record: OrderRecord, ticks: number, lots: number, liquidity: Liquidity): SettledFill;
  /** Frees the remaining lock of an ended order. */
  release(record: OrderRecord): void;
  /** One row per position side, even flat; none on spot. */
  positions(): readonly PositionRow[];
}
