/** Actions: a strategy's decisions as plain data. `execution/` checks and never rounds them. */
import type { AccountType } from './account.ts';
import type { DecimalLike } from '../numbers/money.ts';
import type { PositionSide } from './order.ts';
import type { PlaceAction } from './place.ts';
import type { ChaseAction, PovAction, ProgramAction, TwapAction } from './program.ts';

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

/** The complete set of resting quotes for strategy × symbol × tag. */
export interface QuoteAction {
  readonly kind: 'quote';
  readonly symbol: string;
  readonly bids: readonly QuoteLeg[];
  readonly asks: readonly QuoteLeg[];
  readonly tag?: string;
  readonly tolerance?: QuoteTolerance;
}

type Terms<A> = Omit<A, 'kind' | 'symbol' | 'side' | 'quantity' | 'reduceOnly' | 'positionSide' | 'ref' | 'tag'>;

/** A program that goes to the target. */
export type TargetProgram =
  | { readonly twap: Terms<TwapAction> }
  | { readonly chase: Terms<ChaseAction> }
  | { readonly pov: Terms<PovAction> };

export type TargetVia = 'market' | { readonly limit: { readonly price: DecimalLike } } | TargetProgram;

/** The net position this strategy wants to hold, base units. */
export interface TargetAction {
  readonly kind: 'target';
  readonly symbol: string;
  readonly quantity: DecimalLike;
  readonly positionSide?: PositionSide;
  readonly via?: TargetVia;
  readonly tag?: string;
}

/** Cancels orders, then closes with reduce-only orders. Default: all symbols of the strategy. */
export interface FlattenAction {
  readonly kind: 'flatten';
  readonly symbol?: string;
}

export interface NoteAction {
  readonly kind: 'note';
  readonly text: string;
  readonly data?: unknown;
}

export interface TransferAction {
  readonly kind: 'transfer';
  readonly from: AccountType;
  readonly to: AccountType;
  readonly currency: string;
  readonly amount: DecimalLike;
  /** Unique per strategy for ever, so restarts never transfer twice. */
  readonly ref?: string;
}

/**
 * The P2P advertisement that should stand under this ref; an existing one is hidden, edited and shown. What is traded
 * away is not refilled until the next `advertise` of the ref.
 */
export interface AdvertiseAction {
  readonly kind: 'advertise';
  readonly ref: string;
  /** E.g. `USDTRUB`. */
  readonly marketId: string;
  /** `sell` sells base. */
  readonly side: 'buy' | 'sell';
  /** Quote per base. */
  readonly price: DecimalLike;
  /** Base units. */
  readonly amount: DecimalLike;
  /** Quote units per deal. */
  readonly minLimit: DecimalLike;
  readonly maxLimit: DecimalLike;
  readonly paymentMethodIds: readonly string[];
  readonly comment?: string;
  /** False hides the advertisement. Default true. */
  readonly active?: boolean;
}

/** A step of a trade on an own advertisement. `confirm` releases the escrow irrevocably. */
export interface P2pTradeAction {
  readonly kind: 'p2pTrade';
  readonly tradeId: string;
  readonly do: 'start' | 'pay' | 'confirm' | 'dispute' | 'cancel';
  /** Disputes only. */
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
  | P2pTradeAction
  | ProgramAction;

export type StopPolicy = 'leave' | 'cancel' | 'flatten';
