/**
 * `reconcile`: compares a live session's journal with the exchange and heals it, outside of a running session. A dry run
 * works on a copy of the journal in memory and changes nothing. Cancels that healing sends are waited for, and what they
 * did is compared again, so that a second call finds nothing to do.
 */
import type { ExecutorEvent } from '../execution/events.ts';
import { reconcilerPortOf } from '../execution/executor.ts';
import { takeOwnership, type Ownership } from '../execution/reconcile/ownership.ts';
import type { Clock } from '../model/ports.ts';
import { changesOf, countsOf, openHealing, type HealOptions, type Healing } from './healing.ts';
import type { Disagreement } from '../execution/reconcile/agreement.ts';
import type { ReconcileReport } from '../execution/reconcile/reconciler.ts';
import { healMoney, type MoneyFinding } from './heal-money.ts';

export interface HealReport {
  readonly session: string;
  /** Every reading was complete. */
  readonly complete: boolean;
  readonly failures: readonly string[];
  /** What changed, or would change: orders, fills, alarms. */
  readonly changes: readonly ExecutorEvent[];
  readonly dryRun: boolean;
  /** What is left of which both sides do not agree; empty, with no change that a dry run would make, is the proof that they do. */
  readonly disagreements: readonly Disagreement[];
  readonly openOrders: number;
  readonly unresolved: number;
  /** What a human said of orders in doubt, and was taken: everything, or nothing where not everything could be read. */
  readonly ownership: readonly Ownership[];
  /** What a human said of liquidations, and was taken. */
  readonly divisions: readonly Division[];
  /** Liquidations of which a human is still to say whose they were. */
  readonly undivided: number;
  /** What became, or would become, of transfers, codes, withdrawals and P2P of unknown fate. */
  readonly money: readonly MoneyFinding[];
  /** Requests that it took, by endpoint. */
  readonly requests: Readonly<Record<string, number>>;
}

const SETTLING_MS_MAX = 6_000;
const LOOK_MS = 20;
const AGAIN_MS = 250;

/** Of a decision that `plan` shows. */
export interface Division {
  readonly id: string;
  readonly choice: string;
}

/** What a human says of orders that could be one of unknown fate, and of liquidations of what several held, and why. */
export interface Said {
  readonly ownership: readonly Ownership[];
  readonly divisions?: readonly Division[];
  readonly reason: string;
}

/** Throws `order_not_in_doubt`, `decision_not_open`, `decision_choice`, and what opening the journal throws. */
export async function heal(options: HealOptions, said?: Said): Promise<HealReport> {
  const { folder, dryRun, connection } = options;
  const before = new Map(connection.exchange.http.sent);
  // First: a transfer that is proved explains a balance.
  const money = await healMoney(options);
  const healing = openHealing(options);
  const { executor, reconciler } = healing;
  try {
    const events: ExecutorEvent[] = [];
    executor.listen((event) => void events.push(event));
    const ownership = said === undefined ? [] : await taken(healing, said);
    let first = await reconciler.runNow({ isLast: true });
    const divisions = said?.divisions ?? [];
    for (const { id, choice } of divisions) executor.divide(id, choice, said?.reason ?? '');
    if (divisions.length > 0) first = await reconciler.runNow({ isLast: true });
    const { complete, failures, disagreements } = dryRun ? first : await healed(healing, options, first);
    const changes = changesOf(events);
    const openOrders = ordersOf(healing, options).length;
    const unresolved = executor.unresolvedCount();
    const requests = countsOf(connection.exchange.http.sent, before);
    const session = folder.record.id;
    const undivided = executor.undivided().length;
    const found = { complete, failures, disagreements, changes, ownership, divisions, undivided, money };
    return { ...found, session, dryRun, openOrders, unresolved, requests };
  } finally {
    healing.close();
  }
}

/** Nothing is in doubt by a reading that is not whole; the run after it says what could not be read. */
async function taken({ executor, reconciler }: Healing, said: Said): Promise<readonly Ownership[]> {
  if (said.ownership.length === 0) return [];
  const { complete, findings } = await reconciler.runNow({ full: true, apply: false });
  if (!complete) return [];
  takeOwnership(reconcilerPortOf(executor), findings, said.ownership, said.reason);
  return said.ownership;
}

function ordersOf({ executor }: Healing, { folder }: HealOptions): readonly { readonly state: string }[] {
  return folder.record.strategies.flatMap(({ tag }) => executor.account(tag).openOrders());
}

/**
 * Compares again while cancels are on their way, and while both sides differ in what a fill between two lists may explain. What
 * still differs at the deadline is said.
 */
async function healed(healing: Healing, options: HealOptions, first: ReconcileReport): Promise<ReconcileReport> {
  const { clock } = options.connection;
  const areCanceling = (): boolean => ordersOf(healing, options).some(({ state }) => state === 'canceling');
  const mayPass = ({ disagreements }: ReconcileReport): boolean =>
    disagreements.some(({ kind }) => kind !== 'not-read' && kind !== 'unresolved');
  const deadline = clock.now() + SETTLING_MS_MAX;
  let told = first;
  while ((areCanceling() || mayPass(told)) && clock.now() < deadline) {
    if (!areCanceling()) await paused(clock, AGAIN_MS);
    while (areCanceling() && clock.now() < deadline) await paused(clock, LOOK_MS);
    told = await healing.reconciler.runNow({ isLast: true });
  }
  return told;
}

async function paused(clock: Clock, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  clock.after(ms, over.resolve);
  await over.promise;
}
