/**
 * Balances and positions as the venue reports them, and what a strategy may ask of its own share of the account.
 * Wire profile, "Position", "Balances". Decimals canonical text.
 */
import type { Market } from './instrument.ts';
import type { PositionSide, OrderUpdate } from './order.ts';
import type { Fill } from './fill.ts';
import { dec, type Decimal } from './money.ts';

/** The documented account types (interface, "Account types"). */
export type AccountType = 'funding' | 'unified-trading' | 'p2p' | 'referral-program' | 'overdraft';

/** total = available + locked, exactly (simulation rule A2). */
export interface Balance {
  readonly account: AccountType;
  readonly currency: string;
  readonly available: string;
  readonly locked: string;
  readonly total: string;
}

export interface VenuePosition {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  /** Signed in one-way mode. */
  readonly quantity: string;
  readonly entryPrice: string;
  readonly markPrice: string;
  readonly leverage: string;
  readonly marginType: 'isolated' | 'cross';
  readonly margin: string;
  readonly liquidationPrice: string | null;
  readonly unrealizedPnl: string;
  readonly realizedPnl: string;
  readonly updatedAt: number;
}

/** What is held, below zero when short. Whether a venue signs the short side of a hedge is not documented; it is never above zero. */
export function signedQuantity({ positionSide, quantity }: Pick<VenuePosition, 'positionSide' | 'quantity'>): Decimal {
  const held = dec(quantity);
  return positionSide === 'short' ? held.abs().neg() : held;
}

/** This strategy's own position: Σ its fills less fees paid in base. Fresh and frozen. */
export interface StrategyPosition {
  readonly symbol: string;
  readonly market: Market;
  readonly positionSide: PositionSide;
  /** Signed canonical text. */
  readonly quantity: string;
  /** The same as a number, to compare and to compute with. */
  readonly size: number;
  /** Nothing is held, or less than the least order that the exchange takes: what a fee in base left over. */
  readonly isFlat: boolean;
  /** Average entry price by cost basis, or null when flat. */
  readonly entryPrice: string | null;
  /** Before fees and funding: quote units on spot, settlement currency on perpetuals. */
  readonly realizedPnl: string;
  /** Perpetuals, once any was settled: received (+) or paid (-), settlement currency. */
  readonly funding?: string;
}

/** One settlement of funding as the venue books it. */
export interface FundingPayment {
  /** Unique for ever. */
  readonly id: string;
  /** Null where the venue does not say. */
  readonly symbol: string | null;
  readonly currency: string;
  /** Received (+) or paid (-), canonical text. */
  readonly amount: string;
  /** Unix ms. */
  readonly ts: number;
}

/** Money that moved between an account and somewhere else without a trade: a transfer, a withdrawal, a code. */
export interface AccountMovement {
  /** Unique for ever. */
  readonly id: string;
  /** Wire profile, "Transaction": kept as it comes. */
  readonly type: string;
  /** Of a transfer: the account that was debited. */
  readonly account: AccountType;
  readonly currency: string;
  /** Zero or above, canonical text. */
  readonly amount: string;
  /** Unix ms. */
  readonly ts: number;
}

/** Money that came to the trading account or left it without a trade: no profit and no loss. */
export interface CashFlow {
  /** Unique for ever. */
  readonly id: string;
  readonly currency: string;
  /** Received (+) or gone (-), canonical text. */
  readonly amount: string;
  /** Unix ms at which it is first seen in the balance, or was sent; never later than that. */
  readonly at: number;
  readonly cause: 'own transfer' | 'movement' | 'credit' | 'while down';
}

/** Money came or went without a trade. `value` is its worth then in the reporting currency; null when it had no price. */
export interface CashFlowEntry extends CashFlow {
  readonly kind: 'cash-flow';
  readonly value: string | null;
}

export type AccountEvent =
  | { readonly kind: 'order'; readonly order: OrderUpdate }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'position'; readonly position: StrategyPosition }
  | { readonly kind: 'balance'; readonly balance: Balance };

/** One strategy's window on the account: states now, and changes each exactly once, in order. */
export interface StrategyAccount {
  openOrders(symbol?: string): readonly OrderUpdate[];
  /** The order of this ref, open or closed, or undefined. */
  orderByRef(ref: string): OrderUpdate | undefined;
  /** In hedge mode name the side; without it the first that is held: one-way, long, short. */
  position(symbol: string, positionSide?: PositionSide): StrategyPosition;
  positions(): readonly StrategyPosition[];
  /** Trading-account balance of a currency; zeros when the account has none. */
  balance(currency: string): Balance;
  balances(): readonly Balance[];
  /** Returns the unsubscribe function. Listeners are called synchronously, in order of subscription. */
  listen(listener: (event: AccountEvent) => void): () => void;
}
