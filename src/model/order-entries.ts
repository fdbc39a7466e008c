/** Entries of an order's progress. */

/** Waits for the exchange's order id. */
export interface CancelWantedEntry {
  readonly kind: 'cancel-wanted';
  readonly intentId: string;
}

/** First complete poll after the fence without the order; a second proves absence. */
export interface AbsentEntry {
  readonly kind: 'absent';
  readonly intentId: string;
  /** Poll sent, exchange clock, Unix ms. */
  readonly asOf: number;
}

/** Committed before bytes may leave. */
export interface SendingEntry {
  readonly kind: 'sending';
  readonly intentId: string;
  /** Venue minus local clock at signing; absent when small. */
  readonly offsetMs?: number;
}
