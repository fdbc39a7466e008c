/** Journal rows of human decisions: limits and attribution. */

/** A limit's value in force, after a change, and as configured; null: none. */
export interface LimitChange {
  readonly from: string | null;
  /** Unix ms, of the override in force; null without one. */
  readonly fromUntil: number | null;
  readonly to: string | null;
  readonly configured: string | null;
  /** At any moment from now on, also by an end that comes earlier. */
  readonly allowsMore: boolean;
}

/** Until a time, or withdrawn (`value` null). The newest row counts. */
export interface LimitOverrideEntry {
  readonly kind: 'limit-override';
  readonly id: string;
  /** `risk.maxOrderValue`, `risk.symbols.BTCUSDT.maxPosition`, `strategies.maker.budget`. */
  readonly limit: string;
  readonly from: string | null;
  readonly value: string | null;
  /** Unix ms. */
  readonly until: number;
  readonly reason: string;
}

/** No new risk of the strategy until a human resumes it. */
export interface PauseEntry {
  readonly kind: 'pause';
  readonly strategy: string;
  readonly on: boolean;
  readonly reason: string;
}

/** The version's trial ended: its configured limits apply. */
export interface WidenedEntry {
  readonly kind: 'widened';
  readonly strategy: string;
  readonly version: string;
  readonly fills: number;
  readonly reason: string;
}

/** The choice of what was `undivided` or `contradicted`; further rows book what follows. */
export interface DividedEntry {
  readonly kind: 'divided';
  readonly id: string;
  readonly orderId: string;
  readonly choice: string;
  /** Base units; the rest is external. */
  readonly shares: readonly { readonly strategy: string; readonly quantity: string }[];
  readonly reason: string;
}

/** The exchange's order is the own one of unknown outcome. */
export interface ClaimedEntry {
  readonly kind: 'claimed';
  readonly intentId: string;
  readonly orderId: string;
  readonly reason: string;
}

/** The exchange's order is external. */
export interface DisownedEntry {
  readonly kind: 'disowned';
  readonly orderId: string;
  readonly reason: string;
}
