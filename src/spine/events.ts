/** What the executor publishes: each change once, in order, after it is journalled. Values are new and frozen. */
import type { Action } from '../model/trading/action.ts';
import type { Balance, CashFlow, FundingPayment, StrategyPosition } from '../model/trading/account.ts';
import type { Denied } from '../model/trading/deny-reason.ts';
import type { GateEntry, UnprotectedAbout } from '../model/entries/journal.ts';
import type { Fill, FillRates, VenueFill } from '../model/trading/fill.ts';
import type { OrderUpdate } from '../model/trading/order.ts';
import type { ProgramUpdate } from '../model/trading/program.ts';
import type { TreasuryChange } from '../model/funds/strategy-treasury.ts';
import type { VenueEvent } from '../model/venue.ts';

export type AlarmCode =
  | 'late_fill'
  | 'overfill'
  | 'fill_contradiction'
  | 'own_trade_side'
  | 'orders_blocked'
  | 'margin_settings'
  | 'surveillance'
  | 'off_grid_fill'
  | 'contradiction'
  | 'stray_overflow'
  | 'order_vanished'
  | 'ambiguous_match'
  | 'foreign_prefix'
  | 'adopted_order'
  | 'journal_rewound'
  | 'balance_residual'
  | 'position_residual'
  | 'liquidated'
  | 'undivided'
  | 'comparison_failing'
  | 'journal_failed'
  | 'listener_failed'
  | 'killed'
  | 'flatten_stuck'
  | 'daily_loss'
  | 'drawdown'
  | 'left_band'
  | 'strategy_latched'
  | 'strategy_paused'
  | 'strategy_stopped'
  | 'limit_override'
  | 'limits_widened'
  | 'money_refused'
  | 'money_not_sent'
  | 'money_unknown'
  | 'program_stuck'
  | 'program_stale'
  | 'program_failed'
  | 'exit_late'
  | 'unprotected';

export interface FillEvent {
  readonly kind: 'fill';
  readonly strategy: string;
  readonly fill: Fill;
  /** Mid when the fill was learned; null: unknown. */
  readonly mid: number | null;
  readonly rates?: FillRates;
  /** Mid when the order was decided, for slippage. */
  readonly arrivalMid: number | null;
}

export interface PositionEvent {
  readonly kind: 'position';
  readonly strategy: string;
  readonly position: StrategyPosition;
}

export interface DeniedEvent {
  readonly kind: 'denied';
  readonly ts: number;
  readonly strategy: string;
  readonly action: Action['kind'];
  readonly symbol?: string;
  readonly ref?: string;
  readonly denied: Denied;
}

export interface AlarmEvent {
  readonly kind: 'alarm';
  readonly ts: number;
  readonly code: AlarmCode;
  readonly message: string;
  readonly about?: UnprotectedAbout;
}

export type ExecutorEvent =
  | { readonly kind: 'order'; readonly strategy: string; readonly order: OrderUpdate }
  | FillEvent
  | DeniedEvent
  | AlarmEvent
  /** A gate closed or reopened. */
  | { readonly kind: 'gate'; readonly ts: number; readonly entry: GateEntry }
  | PositionEvent
  | { readonly kind: 'program'; readonly strategy: string; readonly program: ProgramUpdate }
  | { readonly kind: 'balance'; readonly balance: Balance }
  /** Once per settlement, whichever strategies held the position. */
  | { readonly kind: 'funding'; readonly payment: FundingPayment }
  /** Once each; `value` in the reporting currency, null without a price. */
  | { readonly kind: 'cash-flow'; readonly flow: CashFlow; readonly value: number | null }
  | TreasuryChange
  | {
      readonly kind: 'note';
      readonly ts: number;
      readonly strategy: string;
      readonly text: string;
      readonly data?: unknown;
    }
  | { readonly kind: 'stopped'; readonly strategy: string };

/** What the reconciler must know within the turn, before its rules run. */
export type Signal =
  /** Only a reconciliation pass can settle this. */
  | { readonly kind: 'doubt'; readonly reason: string }
  /** A poll should confirm the symbol's fills before more risk is taken there. */
  | { readonly kind: 'unproved'; readonly symbol: string }
  | { readonly kind: 'booked'; readonly fill: VenueFill }
  /** A wanted cancel of the order was refused. */
  | { readonly kind: 'uncanceled'; readonly intentId: string }
  /** An order is answered as filled, and its trades are not known. */
  | { readonly kind: 'unbooked' }
  /** The private stream named an order that is not known. */
  | { readonly kind: 'unowned'; readonly orderId: string }
  /** Before the symbol's first trade of this process. */
  | { readonly kind: 'traded'; readonly symbol: string }
  | { readonly kind: 'stream'; readonly event: Extract<VenueEvent, { kind: 'stream' }> };
