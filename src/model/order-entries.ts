/** Entries of an order. */

/** The cancel waits for the exchange's order id. */
export interface CancelWantedEntry {
  readonly kind: 'cancel-wanted';
  readonly intentId: string;
}

/** First complete poll after the fence without the order. */
export interface AbsentEntry {
  readonly kind: 'absent';
  readonly intentId: string;
  /** Of the poll, exchange clock, Unix ms. */
  readonly asOf: number;
}

/** Committed before bytes may leave. */
export interface SendingEntry {
  readonly kind: 'sending';
  readonly intentId: string;
  /** Venue minus local clock at signing, ms; absent when small. */
  readonly offsetMs?: number;
}
