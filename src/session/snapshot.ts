/**
 * A session as a person wants to see it, at one moment: plain data that the terminal screen and `status` print.
 */
import type { OrderCounters } from '../execution/order-counters.ts';
import type { StrategyPosition } from '../model/account.ts';
import type { OrderUpdate } from '../model/order.ts';
import type { DenialCount } from './denial-counts.ts';
import type { Tally } from './strategy-tally.ts';

export interface StreamState {
  readonly name: string;
  /** Since its last message; null before the first. */
  readonly ageMs: number | null;
  readonly state: 'fresh' | 'stale' | 'down' | 'waiting';
}

/** A position as it stands, valued at the last mid; null without one. In the currency that the symbol is quoted in. */
export interface HeldPosition extends StrategyPosition {
  readonly unrealizedPnl: number | null;
  readonly quote: string;
}

export interface StrategyState {
  readonly tag: string;
  readonly status: string;
  readonly positions: readonly HeldPosition[];
  /** Of its fills: how many, fees in the reporting currency, the newest. */
  readonly tally: Tally;
  readonly openOrders: readonly OrderUpdate[];
  readonly counters: Readonly<OrderCounters>;
  /** By reason, the most frequent first. */
  readonly denials: readonly DenialCount[];
  readonly error: string | null;
}

export interface TopLine {
  readonly symbol: string;
  readonly bid: string;
  readonly ask: string;
}

export interface SessionSnapshot {
  readonly mode: 'paper' | 'live';
  readonly id: string;
  readonly exchange: string;
  /** Whose money it is, live. */
  readonly account: string;
  /** Why the kill switch is on; null while it is off. */
  readonly killed: string | null;
  readonly startedAt: number;
  readonly now: number;
  readonly endsAt: number | null;
  readonly tops: readonly TopLine[];
  readonly streams: readonly StreamState[];
  readonly strategies: readonly StrategyState[];
  readonly fills: number;
  /** Capital and what own trading made of it; null before the first prices. */
  readonly equity: number | null;
  /** What own trading made, and what the account did beside it; null before the first prices, or without a price. */
  readonly netPnl: number | null;
  readonly heldDrift: number | null;
  readonly accountPnl: number | null;
  readonly currency: string;
  /** Sentences: why no new risk is taken now. Empty when all gates are open. */
  readonly closedGates: readonly string[];
  /** Orders of which nobody knows yet whether they exist. */
  readonly unknown: number;
  /** How much of each limit is used, 0 to 1. */
  readonly risk: readonly { readonly name: string; readonly used: number }[];
  /** The newest things worth knowing, oldest first. */
  readonly messages: readonly string[];
}
