/** The reconciler's options, requests and report. */
import type { Gate } from '../model/ports.ts';
import type { AccountRow } from './account-rows.ts';
import type { Disagreement } from './agreement.ts';
import type { Finding } from './finding.ts';
import type { ReadingPlannerOptions } from './reading-planner.ts';

export interface ReconcilerOptions extends ReadingPlannerOptions {
  /** A running session's copy: unknown orders may be newer. */
  readonly isCopy?: boolean;
  /** Journalled before an order leaves. Default: all instruments. */
  readonly symbols?: readonly string[];
  /** An in-process simulation: trades need no proof. */
  readonly isBelieved?: boolean;
  /** Known not to run: their leftovers are ours. */
  readonly earlierSessions?: ReadonlySet<string>;
}

export interface ReconcileReport {
  readonly complete: boolean;
  /** The venue's messages. */
  readonly failures: readonly string[];
  readonly findings: readonly Finding[];
  /** After applying; empty proves agreement. */
  readonly disagreements: readonly Disagreement[];
  readonly account: readonly AccountRow[];
}

export interface RunOptions {
  readonly full?: boolean;
  /** False: only compares. */
  readonly apply?: boolean;
  /** Believes an active list that may lag. */
  readonly isLast?: boolean;
}

export interface Reconciler {
  /** Opens with the first complete comparison. */
  readonly gate: Gate;
  readonly instanceGate: Gate;
  /** Starts the timer and the first full pass. */
  start(): void;
  /** After a pass under way. */
  runNow(options?: RunOptions): Promise<ReconcileReport>;
  /** A simulated initial amount is the opening, however late. */
  granted(grant: { readonly currency: string; readonly amount: string }): void;
  stop(): void;
}
