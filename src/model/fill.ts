/**
 * Fills: the only source of a position (wall 3: position = Σ fills, fills unique by trade id).
 */
import type { Market } from './instrument.ts';
import type { Liquidity, PositionSide, Side } from './order.ts';

/** An own trade as the venue reports it. Wire profile, "Own trade". Decimals canonical text, `ts` Unix ms exchange time. */
export interface VenueFill {
  readonly tradeId: string;
  readonly orderId: string;
  readonly symbol: string;
  readonly market: Market;
  readonly side: Side;
  readonly price: string;
  readonly quantity: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly liquidity: Liquidity;
  readonly positionSide?: PositionSide;
  readonly realizedPnl?: string;
  readonly ts: number;
}

/** The same once it is known whose it is: what a strategy sees. */
export interface Fill extends VenueFill {
  readonly ref: string;
  readonly tag: string;
}
