/** Builders of actions: plain frozen data. They throw on wrong names and shapes; `execution/` checks values. */
import type {
  AdvertiseAction,
  CancelAction,
  CancelAllAction,
  FlattenAction,
  NoteAction,
  P2pTradeAction,
  QuoteAction,
  QuoteLeg,
  QuoteTolerance,
  TargetAction,
  TransferAction,
} from '../model/trading/action.ts';
import type { PlaceAction } from '../model/trading/place.ts';
import { actionProblem, sound } from './action-shape.ts';
import { strategyErrors } from './errors.ts';

function checked<T extends { readonly kind: string }>(action: T): T {
  const problem = actionProblem(action);
  if (problem !== undefined) throw strategyErrors.make('strategy_action_invalid', problem, { action: action.kind });
  return Object.freeze(action);
}

export type PlaceOptions = Omit<PlaceAction, 'kind'>;

/** One order. `ref` is unique per strategy for ever; default `<strategy>-<n>`. */
export function place(order: PlaceOptions): PlaceAction {
  return checked({ ...order, kind: 'place' as const });
}

export function cancel(order: { readonly ref: string }): CancelAction {
  return checked({ kind: 'cancel' as const, ref: order.ref });
}

/** Cancels all orders of this strategy, or those of a symbol or tag. */
export function cancelAll(filter: Omit<CancelAllAction, 'kind'> = {}): CancelAllAction {
  return checked({ ...filter, kind: 'cancelAll' as const });
}

export interface QuoteSides {
  readonly bids: readonly QuoteLeg[];
  readonly asks: readonly QuoteLeg[];
}

export interface QuoteOptions {
  readonly tag?: string;
  readonly tolerance?: QuoteTolerance;
}

/**
 * The complete set of resting quotes for strategy × symbol × tag. Earlier ones may fill while it is in flight, so
 * `risk.maxPosition` or the strategy's `limits` bound the position, not a check in the strategy.
 */
export function quote(symbol: string, sides: QuoteSides, options: QuoteOptions = {}): QuoteAction {
  return checked({ ...options, ...sides, kind: 'quote' as const, symbol });
}

export type TargetOptions = Omit<TargetAction, 'kind' | 'symbol'>;

/** The net position this strategy wants to hold. One that is named again, as at each candle, is the same object. */
export function target(symbol: string, options: TargetOptions): TargetAction {
  const newest = sound.target;
  if (newest !== null && newest.symbol === symbol && isOnly(options, newest.quantity)) return newest;
  const action = checked({ ...options, kind: 'target' as const, symbol });
  if (typeof action.quantity !== 'object' && isOnly(options, action.quantity)) sound.target = action;
  return action;
}

function isOnly(options: TargetOptions, quantity: TargetOptions['quantity']): boolean {
  if (options.quantity !== quantity) return false;
  for (const name in options) if (name !== 'quantity' && Object.hasOwn(options, name)) return false;
  return true;
}

/** Cancels orders, then closes positions with reduce-only orders. Default: all symbols of the strategy. */
export function flatten(symbol?: string): FlattenAction {
  return checked(symbol === undefined ? { kind: 'flatten' as const } : { kind: 'flatten' as const, symbol });
}

/** An annotation for the chart and for `why`. `data` is kept as JSON. */
export function note(text: string, data?: unknown): NoteAction {
  return checked(data === undefined ? { kind: 'note' as const, text } : { kind: 'note' as const, text, data });
}

export type TransferOptions = Omit<TransferAction, 'kind'>;

/**
 * Moves money between own accounts. Denied unless `limits.transfers` allows it, or when `ref` was used before.
 * @example transfer({ from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '100' })
 */
export function transfer(options: TransferOptions): TransferAction {
  return checked({ ...options, kind: 'transfer' as const });
}

export type AdvertiseOptions = Omit<AdvertiseAction, 'kind'>;

/** The P2P advertisement that should stand under `ref`; `active: false` hides it. Needs `limits.p2p`. */
export function advertise(options: AdvertiseOptions): AdvertiseAction {
  return checked({ ...options, kind: 'advertise' as const });
}

export type P2pTradeOptions = Omit<P2pTradeAction, 'kind'>;

/** A step of a P2P trade on an own advertisement. `do: 'confirm'` releases the escrow irrevocably. */
export function p2pTrade(options: P2pTradeOptions): P2pTradeAction {
  return checked({ ...options, kind: 'p2pTrade' as const });
}
