/** Orders of the venue and as strategies see them. Decimals are canonical text; times Unix ms. */
import type { Market } from '../market/instrument.ts';

export type Side = 'buy' | 'sell';
export type OrderType = 'limit' | 'market';
export type TimeInForce = 'gtc' | 'ioc';
export const POSITION_SIDES = ['both', 'long', 'short'] as const;
export type PositionSide = (typeof POSITION_SIDES)[number];
export type Liquidity = 'maker' | 'taker';

export type VenueOrderStatus = 'new' | 'partially_filled' | 'filled' | 'canceled' | 'rejected' | 'expired';

/** `price` is null on market orders. */
export interface OrderRequest {
  readonly market: Market;
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  readonly price: string | null;
  readonly quantity: string;
  /** Unique for ever; the venue may ignore it. */
  readonly clientOrderId: string;
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
}

/** Reason of a venue that ended an order at once because it knew no market. */
export const NO_MARKET_DATA = 'no_market_data';

/** In an answer, stream or list. */
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
 * `pending`: not sent. `sending`: bytes may have left. `unknown`: outcome unknown, so risk stays reserved. Closed ones
 * still take late fills.
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

/** Fresh and frozen. */
export interface OrderUpdate {
  /** Session clock. */
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
  /** Ref of the program whose order it is, and which of its orders. */
  readonly parent?: string;
  readonly leg?: string;
  /** Deny reason, refusal code or venue reason. */
  readonly reason?: string;
  readonly message?: string;
}
