/** Balances, positions and money movements. Decimals are canonical text; times are Unix ms; ids are unique for ever. */
import type { Market } from '../market/instrument.ts';
import type { PositionSide, OrderUpdate } from './order.ts';
import type { Fill } from './fill.ts';
import { dec, type Decimal } from '../numbers/money.ts';
import type { ProgramUpdate } from './program.ts';

export type AccountType = 'funding' | 'unified-trading' | 'p2p' | 'referral-program' | 'overdraft';

/** `total` equals `available` + `locked`, exactly. */
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

/** Negative when short, whatever sign the interface gives a hedge's short side. */
export function signedQuantity({ positionSide, quantity }: Pick<VenuePosition, 'positionSide' | 'quantity'>): Decimal {
  const held = dec(quantity);
  return positionSide === 'short' ? held.abs().neg() : held;
}

/** A strategy's own position: its fills less fees paid in base. Fresh and frozen. */
export interface StrategyPosition {
  readonly symbol: string;
  readonly market: Market;
  readonly positionSide: PositionSide;
  /** Signed canonical text. */
  readonly quantity: string;
  /** For estimates. */
  readonly size: number;
  /** True also for a remainder below the minimum order. */
  readonly isFlat: boolean;
  /** By cost basis; null when flat. */
  readonly entryPrice: string | null;
  /** Before fees and funding; quote units on spot, settlement currency on perpetuals. */
  readonly realizedPnl: string;
  /** Perpetuals: received (+) or paid (-), settlement currency. Absent before the first settlement. */
  readonly funding?: string;
}

export interface FundingPayment {
  readonly id: string;
  /** Null when not named. */
  readonly symbol: string | null;
  readonly currency: string;
  /** Received (+) or paid (-). */
  readonly amount: string;
  readonly ts: number;
}

export interface AccountMovement {
  readonly id: string;
  /** Unknown types are kept. */
  readonly type: string;
  /** Transfers only: the debited account. */
  readonly account: AccountType;
  readonly currency: string;
  /** Never negative. */
  readonly amount: string;
  readonly ts: number;
}

/** Money in or out of the trading account without a trade. */
export interface CashFlow {
  readonly id: string;
  readonly currency: string;
  /** Received (+) or paid (-). */
  readonly amount: string;
  /** When sent or first seen in the balance. */
  readonly at: number;
  readonly cause: 'own transfer' | 'movement' | 'credit' | 'while down';
}

/** `value` at that time, reporting currency; null without a price. */
export interface CashFlowEntry extends CashFlow {
  readonly kind: 'cash-flow';
  readonly value: string | null;
}

/** A part of a payment. `strategy`: null when no own position explains it. Unique by id and strategy. */
export interface FundingEntry {
  readonly kind: 'funding';
  readonly id: string;
  readonly strategy: string | null;
  readonly symbol: string | null;
  readonly positionSide: PositionSide;
  readonly currency: string;
  /** Received (+) or paid (-). */
  readonly amount: string;
  /** Unix ms of the exchange; undefined in older journals. */
  readonly paidAt?: number;
}

export type AccountEvent =
  | { readonly kind: 'order'; readonly order: OrderUpdate }
  | { readonly kind: 'fill'; readonly fill: Fill }
  | { readonly kind: 'position'; readonly position: StrategyPosition }
  | { readonly kind: 'balance'; readonly balance: Balance }
  | { readonly kind: 'program'; readonly program: ProgramUpdate };

export interface StrategyAccount {
  openOrders(symbol?: string): readonly OrderUpdate[];
  orderByRef(ref: string): OrderUpdate | undefined;
  /** Order programs, ended ones included, oldest first. */
  programs(): readonly ProgramUpdate[];
  programByRef(ref: string): ProgramUpdate | undefined;
  /** In hedge mode name the side; default: the first held of one-way, long, short. */
  position(symbol: string, positionSide?: PositionSide): StrategyPosition;
  positions(): readonly StrategyPosition[];
  /** Trading account; zeros when absent. */
  balance(currency: string): Balance;
  balances(): readonly Balance[];
  /**
   * Own fills after the one of this cursor (`fillCursor`), of earlier processes too; undefined: all. Throws
   * `fills_cursor_unknown`.
   */
  fillsSince(cursor: string | undefined): readonly Fill[];
  /** Returns the unsubscribe function. Listeners run synchronously, in order. */
  listen(listener: (event: AccountEvent) => void): () => void;
}
