/**
 * Rows of the journal that a human's word alone makes: what widens a limit, whose an order in doubt is, and whose a
 * liquidation was. Part of the chain
 * in `journal.ts`.
 */

/**
 * A human replaced one limit until a time, or took that back (`value` null). `from` is what stood before; the newest row
 * of a limit counts.
 */
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

/** A human let a version of a strategy out of its trial: its limits stand as configured from here on. */
export interface WidenedEntry {
  readonly kind: 'widened';
  readonly strategy: string;
  readonly version: string;
  /** Of that version in this journal. */
  readonly fills: number;
  readonly reason: string;
}

/** A human said whose a liquidation was that is `undivided`; the rows after it, written with it, book the shares. */
export interface DividedEntry {
  readonly kind: 'divided';
  /** Of the decision, as it was shown. */
  readonly id: string;
  /** The exchange's order. */
  readonly orderId: string;
  readonly choice: string;
  /** Base units. What is missing to the whole was of others. */
  readonly shares: readonly { readonly strategy: string; readonly quantity: string }[];
  readonly reason: string;
}

/** A human said that this order at the exchange is that one of unknown fate. */
export interface ClaimedEntry {
  readonly kind: 'claimed';
  readonly intentId: string;
  readonly orderId: string;
  readonly reason: string;
}

/** A human said that this order at the exchange, which could be one of unknown fate, is none of ours. */
export interface DisownedEntry {
  readonly kind: 'disowned';
  readonly orderId: string;
  readonly reason: string;
}
