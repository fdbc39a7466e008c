/** Fills, the only source of a position. Unique by trade id. */
import type { Market } from '../market/instrument.ts';
import type { Liquidity, PositionSide, Side } from './order.ts';

/** As the venue reports it. Decimals are canonical text; `ts` exchange time, Unix ms. */
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

/** By currency of a fill, when it was learned; without what had no price. Absent where all is in the reporting currency. */
export type FillRates = Readonly<Record<string, number>>;

/** Attributed to a strategy. */
export interface Fill extends VenueFill {
  readonly ref: string;
  readonly tag: string;
}

/** Includes the cursor from which `account.fillsSince` continues after it. */
export interface FillSince extends Fill {
  readonly cursor: string;
}

export function fillCursor({ symbol, tradeId }: Pick<VenueFill, 'symbol' | 'tradeId'>): string {
  return `${symbol}/${tradeId}`;
}
