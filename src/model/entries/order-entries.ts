/** Entries of an order. */
import type { StopPolicy } from '../trading/action.ts';

/** The cancel waits for the exchange's order id. */
export interface CancelWantedEntry {
  readonly kind: 'cancel-wanted';
  readonly intentId: string;
}

/** A running flatten; it continues after a crash. */
export interface FlattenEntry {
  readonly kind: 'flatten';
  readonly strategy: string;
  readonly symbol: string;
  /** False: closed, or given up. */
  readonly on: boolean;
}

export function flattenKey(strategy: string, symbol: string): string {
  return `${strategy} ${symbol}`;
}

/** The strategy ends; a start begins it anew. */
export interface StopEntry {
  readonly kind: 'stop';
  readonly strategy: string;
  readonly policy: StopPolicy;
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
