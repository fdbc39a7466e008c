/**
 * Orders as the venue reports them and as a strategy sees them. Decimals are canonical text; times are Unix ms.
 * Wire profile, "Create spot order".
 */
import type { Market } from './instrument.ts';

export type Side = 'buy' | 'sell';
export type OrderType = 'limit' | 'market';
export type TimeInForce = 'gtc' | 'ioc';
export type PositionSide = 'both' | 'long' | 'short';
export type Liquidity = 'maker' | 'taker';

/** Order states of the exchange (wire profile). */
export type VenueOrderStatus = 'new' | 'partially_filled' | 'filled' | 'canceled' | 'rejected' | 'expired';

/** What is sent to create an order. `price` is null on market orders. */
export interface OrderRequest {
  readonly market: Market;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: string | null;
  readonly quantity: string;
  /** Ours, unique for ever; the venue may ignore it (`exchange.clientOrderIds`). */
  readonly clientOrderId: string;
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
}

/** An order as the venue reports it: in an answer, on a stream or in a list. */
export interface OrderReport {
  readonly orderId: string;
  readonly clientOrderId?: string;
  readonly market: Market;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: string | null;
  readonly quantity: string;
  readonly filledQuantity: string;
  readonly averagePrice: string | null;
  readonly status: VenueOrderStatus;
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
  readonly reason?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/**
 * Order states here. `pending`: journalled, not sent. `sending`: bytes may have left. `unknown`: no proof either way,
 * risk stays reserved. `canceling`: a cancel is under way. The rest are closed; a closed order still takes late fills.
 */
export type OrderState =
  | 'pending'
  | 'sending'
  | 'unknown'
  | 'open'
  | 'partially_filled'
  | 'canceling'
  | 'filled'
  | 'canceled'
  | 'expired'
  | 'rejected'
  | 'denied'
  | 'never_arrived';

export const closedOrderStates: ReadonlySet<OrderState> = new Set<OrderState>([
  'filled',
  'canceled',
  'expired',
  'rejected',
  'denied',
  'never_arrived',
]);

/** An own order as a strategy sees it. Fresh and frozen each time (wall 8). */
export interface OrderUpdate {
  /** Unix ms of this change, session clock. */
  readonly ts: number;
  readonly ref: string;
  readonly tag: string;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: string | null;
  readonly quantity: string;
  readonly filledQuantity: string;
  readonly averagePrice: string | null;
  readonly state: OrderState;
  readonly orderId?: string;
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
  readonly postOnly?: boolean;
  /** Deny reason, refusal code or venue reason of a closed order. */
  readonly reason?: string;
  readonly message?: string;
}
