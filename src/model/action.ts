/**
 * Actions: what a strategy decides, as plain data, so that it can be journalled, compared, replayed and shadow-run.
 * Strategy API, the table of actions and "Semantics". Numbers are checked, never rounded, by `execution/`.
 */
import type { AccountType } from './account.ts';
import type { DecimalLike } from './money.ts';
import type { OrderType, PositionSide, Side, TimeInForce } from './order.ts';

export interface PlaceAction {
  readonly kind: 'place';
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price?: DecimalLike;
  readonly quantity: DecimalLike;
  readonly timeInForce?: TimeInForce;
  readonly reduceOnly?: boolean;
  readonly positionSide?: PositionSide;
  /** Ours: denied before sending when it would trade at once. */
  readonly postOnly?: boolean;
  /** Unique per strategy for ever; `<strategy>-<n>` when omitted. */
  readonly ref?: string;
  readonly tag?: string;
}

export interface CancelAction {
  readonly kind: 'cancel';
  readonly ref: string;
}

export interface CancelAllAction {
  readonly kind: 'cancelAll';
  readonly symbol?: string;
  readonly tag?: string;
}

export interface QuoteLeg {
  readonly price: DecimalLike;
  readonly quantity: DecimalLike;
  readonly postOnly?: boolean;
}

export interface QuoteTolerance {
  readonly priceTicks?: number;
  readonly quantityFraction?: number;
}

/** The whole set of resting quotes that should stand in the scope strategy × symbol × tag. */
export interface QuoteAction {
  readonly kind: 'quote';
  readonly symbol: string;
  readonly bids: readonly QuoteLeg[];
  readonly asks: readonly QuoteLeg[];
  readonly tag?: string;
  readonly tolerance?: QuoteTolerance;
}

/** How a target is reached. `market` in this version; the client-side order types come with their own actions. */
export type TargetVia = 'market' | { readonly limit: { readonly price: DecimalLike } };

/** The net position of this strategy that should be held. */
export interface TargetAction {
  readonly kind: 'target';
  readonly symbol: string;
  readonly quantity: DecimalLike;
  readonly positionSide?: PositionSide;
  readonly via?: TargetVia;
  readonly tag?: string;
}

/** To zero, reduce-only, cancels first. All symbols of the strategy when none is named. */
export interface FlattenAction {
  readonly kind: 'flatten';
  readonly symbol?: string;
}

/** An annotation for the chart and for `why`. */
export interface NoteAction {
  readonly kind: 'note';
  readonly text: string;
  readonly data?: unknown;
}

/** Money from one own account to another. Denied unless the configuration allows the route and the amount. */
export interface TransferAction {
  readonly kind: 'transfer';
  readonly from: AccountType;
  readonly to: AccountType;
  readonly currency: string;
  readonly amount: DecimalLike;
  /** Unique per strategy for ever; a ref that was used is denied, so that a restart never transfers twice. */
  readonly ref?: string;
}

/**
 * The P2P advertisement that should stand under this ref. The desk creates it, or hides, edits and shows it again, with
 * the fewest requests. What is traded away is not refilled until the next `advertise` of the ref.
 */
export interface AdvertiseAction {
  readonly kind: 'advertise';
  readonly ref: string;
  /** The pair, e.g. `USDTRUB`. */
  readonly marketId: string;
  /** The maker's: `sell` sells base. */
  readonly side: 'buy' | 'sell';
  /** Of one base in quote. */
  readonly price: DecimalLike;
  /** Of base, available from now on. */
  readonly amount: DecimalLike;
  /** Of one deal, in quote. */
  readonly minLimit: DecimalLike;
  readonly maxLimit: DecimalLike;
  readonly paymentMethodIds: readonly string[];
  readonly comment?: string;
  /** False: hidden. Default true. */
  readonly active?: boolean;
}

/** A step of a P2P trade of one of this strategy's advertisements. `confirm` releases the escrow for good. */
export interface P2pTradeAction {
  readonly kind: 'p2pTrade';
  readonly tradeId: string;
  readonly do: 'start' | 'pay' | 'confirm' | 'dispute' | 'cancel';
  /** Of a dispute. */
  readonly reason?: string;
}

export type Action =
  | PlaceAction
  | CancelAction
  | CancelAllAction
  | QuoteAction
  | TargetAction
  | FlattenAction
  | NoteAction
  | TransferAction
  | AdvertiseAction
  | P2pTradeAction;

export type StopPolicy = 'leave' | 'cancel' | 'flatten';
