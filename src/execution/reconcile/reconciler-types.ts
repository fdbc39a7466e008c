/** What the session and the commands see of the reconciler: its options, what a run answers, and how it is asked. */
import type { Gate } from '../../model/ports.ts';
import type { AccountRow } from './account-rows.ts';
import type { Disagreement } from './agreement.ts';
import type { Finding } from './compare.ts';
import type { ReadingPlannerOptions } from './reading-planner.ts';

export interface ReconcilerOptions extends ReadingPlannerOptions {
  /** The journal is a copy of one that a running session appends to: an order that it cannot tell of may be newer than the copy. */
  readonly isCopy?: boolean;
  /** What is going to be traded: its balances and positions are journalled before an order leaves. All instruments when left out. */
  readonly symbols?: readonly string[];
  /** A simulation in this process, whose word on own trades needs no proof by the account. */
  readonly isBelieved?: boolean;
  /** Sessions of the same account, as their intents name them, of which it is known that none runs: what they left is ours. */
  readonly earlierSessions?: ReadonlySet<string>;
}

export interface ReconcileReport {
  /** Every reading was complete. */
  readonly complete: boolean;
  /** What was not, as the venue said it. */
  readonly failures: readonly string[];
  readonly findings: readonly Finding[];
  /** What keeps both sides from agreeing once that is applied; empty is the proof that they do. */
  readonly disagreements: readonly Disagreement[];
  /** Balances and positions as this reading shows them beside what the journal explains. */
  readonly account: readonly AccountRow[];
}

export interface RunOptions {
  readonly full?: boolean;
  /** False: only compares. */
  readonly apply?: boolean;
  /** Nobody looks again later: what the active list shows is believed at once, although it may lag. */
  readonly isLast?: boolean;
}

export interface Reconciler {
  /** Opens with the first complete comparison. Both are among the executor's gates. */
  readonly gate: Gate;
  readonly instanceGate: Gate;
  /** Starts the timer and the first full run. */
  start(): void;
  /** Runs now (after one that is under way). */
  runNow(options?: RunOptions): Promise<ReconcileReport>;
  /** A simulated account was given what it starts with: the opening of that currency, however late it comes. */
  granted(grant: { readonly currency: string; readonly amount: string }): void;
  stop(): void;
}
