/** Types of the reconciler. */
import type { Gate } from '../model/ports.ts';
import type { AccountRow } from './account-rows.ts';
import type { Disagreement } from './agreement.ts';
import type { Finding } from './finding.ts';
import type { ReadingPlannerOptions } from './reading-planner.ts';

export interface ReconcilerOptions extends ReadingPlannerOptions {
  /** A running session's copy: unknown orders may be newer. */
  readonly isCopy?: boolean;
  /** Their openings are journalled before an order leaves. Default: all instruments. */
  readonly symbols?: readonly string[];
  /** For an in-process simulation, whose trades need no proof. */
  readonly isBelieved?: boolean;
  /** Known not to run: their leftovers are own. */
  readonly earlierSessions?: ReadonlySet<string>;
  /** After each pass that applies. */
  readonly onPass?: (report: ReconcileReport) => void;
}

export interface ReconcileReport {
  readonly complete: boolean;
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
  /** Trusts an active list that may lag. */
  readonly isLast?: boolean;
}

export interface Reconciler {
  readonly gate: Gate;
  readonly instanceGate: Gate;
  start(): void;
  /** Waits for a running pass. */
  runNow(options?: RunOptions): Promise<ReconcileReport>;
  /** A simulated initial amount is the opening, however late. */
  granted(grant: { readonly currency: string; readonly amount: string }): void;
  stop(): void;
}
