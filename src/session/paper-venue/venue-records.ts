/** What a paper journal records of its simulated venue beside orders and fills. */
import type { PositionSide } from '../../model/trading/order.ts';

/** Start balances, `{currency, amount}`, and funding, `SideFunding`. */
export const GRANT_RECORD = 'grant';
export const FUNDING_RECORD = 'funding';

/** Signed, settlement currency. */
export interface SideFunding {
  readonly currency: string;
  readonly amount: string;
  readonly symbol: string;
  readonly positionSide: PositionSide;
  /** Unix ms, exchange clock. */
  readonly ts: number;
}
