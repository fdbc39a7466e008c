/** A session at one moment. */
import type { OrderCounters } from '../../spine/orders/order-counters.ts';
import type { StrategyPosition } from '../../model/trading/account.ts';
import type { OrderUpdate } from '../../model/trading/order.ts';
import type { UnprotectedAbout } from '../../model/entries/journal.ts';
import type { ProgramUpdate } from '../../model/trading/program.ts';
import type { DenialCount } from '../recorder/denial-counts.ts';
import type { Tally } from '../recorder/strategy-tally.ts';
import type { UsedLimit } from './used-limits.ts';

export interface StreamState {
  readonly name: string;
  /** Since its last message. */
  readonly ageMs: number | null;
  readonly state: 'fresh' | 'stale' | 'down' | 'waiting';
  /** Times that its data was missing, since the start of the process. */
  readonly gaps: number;
}

/** At the last mid, in quote currency. */
export interface HeldPosition extends StrategyPosition {
  readonly unrealizedPnl: number | null;
  readonly quote: string;
}

export interface StrategyState {
  readonly tag: string;
  readonly status: string;
  readonly positions: readonly HeldPosition[];
  readonly tally: Tally;
  /** Reporting currency; null without prices. */
  readonly netPnl: number | null;
  readonly openOrders: readonly OrderUpdate[];
  /** Those that work. */
  readonly programs: readonly ProgramUpdate[];
  /** Positions without an exit. */
  readonly unprotected: readonly UnprotectedAbout[];
  readonly counters: Readonly<OrderCounters>;
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
  /** Live only. */
  readonly account: string;
  readonly killed: string | null;
  readonly startedAt: number;
  readonly now: number;
  readonly endsAt: number | null;
  readonly tops: readonly TopLine[];
  readonly streams: readonly StreamState[];
  readonly strategies: readonly StrategyState[];
  readonly fills: number;
  /** Capital plus own result. */
  readonly equity: number | null;
  /** Null without prices. */
  readonly netPnl: number | null;
  readonly heldDrift: number | null;
  readonly accountPnl: number | null;
  readonly currency: string;
  readonly closedGates: readonly string[];
  /** Orders of unknown outcome. */
  readonly unknown: number;
  readonly risk: readonly UsedLimit[];
  readonly messages: readonly string[];
}
