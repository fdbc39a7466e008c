/**
 * Actions: what a strategy decides, as plain data, so that it can be journalled, compared, replayed and shadow-run.
 * Strategy API, the table of actions and "Semantics". Numbers are checked, never rounded, by `execution/`.
 */
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

export type Action =
  | PlaceAction
  | CancelAction
  | CancelAllAction
  | QuoteAction
  | TargetAction
  | FlattenAction
  | NoteAction;

export type StopPolicy = 'leave' | 'cancel' | 'flatten';
