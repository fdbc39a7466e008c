/** `reconcile`: heals a stopped live session's journal by the exchange. */
import type { ExecutorEvent } from '../../spine/events.ts';
import { takeOwnership, type Ownership } from '../../reconciler/ownership.ts';
import type { Clock } from '../../model/ports.ts';
import { changesOf, countsOf, openHealing, type HealOptions, type Healing } from './healing.ts';
import type { Disagreement } from '../../reconciler/agreement.ts';
import type { ReconcileReport } from '../../reconciler/reconciler.ts';
import { healMoney, type MoneyFinding } from '../money/heal-money.ts';

export interface HealReport {
  readonly session: string;
  readonly complete: boolean;
  readonly failures: readonly string[];
  readonly changes: readonly ExecutorEvent[];
  readonly dryRun: boolean;
  /** Empty, with no pending change: journal and exchange agree. */
  readonly disagreements: readonly Disagreement[];
  readonly openOrders: number;
  readonly unresolved: number;
  /** All, or none after an incomplete poll. */
  readonly ownership: readonly Ownership[];
  readonly divisions: readonly Division[];
  readonly undivided: number;
  readonly money: readonly MoneyFinding[];
  readonly requests: Readonly<Record<string, number>>;
}

const SETTLING_MS_MAX = 6_000;
const LOOK_MS = 20;
const AGAIN_MS = 250;

export interface Division {
  readonly id: string;
  readonly choice: string;
}

export interface Said {
  readonly ownership: readonly Ownership[];
  readonly divisions?: readonly Division[];
  readonly reason: string;
}

/** Throws `order_not_in_doubt`, `decision_not_open`, `decision_choice`, and journal errors. */
export async function heal(options: HealOptions, said?: Said): Promise<HealReport> {
  const { folder, dryRun, connection } = options;
  const before = new Map(connection.exchange.http.sent);
  // First, because a resolved transfer explains a balance.
  const money = await healMoney(options);
  const healing = openHealing(options);
  const { executor, reconciler } = healing;
  try {
    const events: ExecutorEvent[] = [];
    executor.listen((event) => void events.push(event));
    const ownership = said === undefined ? [] : await taken(healing, said);
    let first = await reconciler.runNow({ isLast: true });
    const divisions = said?.divisions ?? [];
    for (const { id, choice } of divisions) executor.human.division(id, choice, said?.reason ?? '')();
    if (divisions.length > 0) first = await reconciler.runNow({ isLast: true });
    const { complete, failures, disagreements } = dryRun ? first : await healed(healing, options, first);
    const changes = changesOf(events);
    const openOrders = ordersOf(healing, options).length;
    const unresolved = executor.unresolvedCount();
    const requests = countsOf(connection.exchange.http.sent, before);
    const session = folder.record.id;
    const undivided = executor.state.undivided.all.length + executor.state.contradicted.size;
    const found = { complete, failures, disagreements, changes, ownership, divisions, undivided, money };
    return { ...found, session, dryRun, openOrders, unresolved, requests };
  } finally {
    healing.close();
  }
}

/** An incomplete poll resolves no doubt. */
async function taken({ executor, reconciler }: Healing, said: Said): Promise<readonly Ownership[]> {
  if (said.ownership.length === 0) return [];
  const { complete, findings } = await reconciler.runNow({ full: true, apply: false });
  if (!complete) return [];
  takeOwnership(executor.reconcilerPort, findings, said.ownership, said.reason);
  return said.ownership;
}

function ordersOf({ executor }: Healing, { folder }: HealOptions): readonly { readonly state: string }[] {
  return folder.record.strategies.flatMap(({ tag }) => executor.account(tag).openOrders());
}

/** Repeats, since a fill between two lists may explain a difference. */
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
