/**
 * `reconcile`: compares a live session's journal with the exchange and heals it, outside of a running session. A dry run
 * works on a copy of the journal in memory and changes nothing. Cancels that healing sends are waited for, and what they
 * did is compared once more, so that a second call finds nothing to do.
 */
import type { ExecutorEvent } from '../execution/events.ts';
import { reconcilerPortOf } from '../execution/executor.ts';
import { takeOwnership, type Ownership } from '../execution/reconcile/ownership.ts';
import type { Clock } from '../model/ports.ts';
import { countsOf, openHealing, type HealOptions, type Healing } from './healing.ts';
import { healMoney, type MoneyFinding } from './heal-money.ts';

export interface HealReport {
  readonly session: string;
  /** Every reading was complete. */
  readonly complete: boolean;
  readonly failures: readonly string[];
  /** What changed, or would change: orders, fills, alarms. */
  readonly changes: readonly ExecutorEvent[];
  readonly dryRun: boolean;
  readonly openOrders: number;
  readonly unresolved: number;
  /** What a human said of orders in doubt, and was taken: everything, or nothing where not everything could be read. */
  readonly ownership: readonly Ownership[];
  /** What became, or would become, of transfers, codes, withdrawals and P2P of unknown fate. */
  readonly money: readonly MoneyFinding[];
  /** Requests that it took, by endpoint. */
  readonly requests: Readonly<Record<string, number>>;
}

const CANCELS_MS_MAX = 6_000;
const LOOK_MS = 20;

/** What a human says of orders that could be one of unknown fate, and why. */
export interface Said {
  readonly ownership: readonly Ownership[];
  readonly reason: string;
}

/** Throws `order_not_in_doubt`, and what opening the journal throws. */
export async function heal(options: HealOptions, said?: Said): Promise<HealReport> {
  const { folder, dryRun, connection } = options;
  const before = new Map(connection.exchange.http.sent);
  // First: a transfer that is proved explains a balance.
  const money = await healMoney(options);
  const healing = openHealing(options);
  const { executor, reconciler } = healing;
  try {
    const changes: ExecutorEvent[] = [];
    executor.listen((event) => {
      if (event.kind === 'order' || event.kind === 'fill' || event.kind === 'alarm') changes.push(event);
    });
    const ownership = said === undefined ? [] : await taken(healing, said);
    let { complete, failures } = await reconciler.runNow({ full: true });
    if (!dryRun && (await cancelsAnswered(healing, options, connection.clock)))
      ({ complete, failures } = await reconciler.runNow({ full: true }));
    const openOrders = ordersOf(healing, options).length;
    const unresolved = executor.unresolvedCount();
    const requests = countsOf(connection.exchange.http.sent, before);
    const session = folder.record.id;
    return { complete, failures, changes, session, dryRun, openOrders, unresolved, ownership, money, requests };
  } finally {
    healing.close();
  }
}

/** Nothing is in doubt by a reading that is not whole; the run after it says what could not be read. */
async function taken({ executor, reconciler }: Healing, said: Said): Promise<readonly Ownership[]> {
  const { complete, findings } = await reconciler.runNow({ full: true, apply: false });
  if (!complete) return [];
  takeOwnership(reconcilerPortOf(executor), findings, said.ownership, said.reason);
  return said.ownership;
}

function ordersOf({ executor }: Healing, { folder }: HealOptions): readonly { readonly state: string }[] {
  return folder.record.strategies.flatMap(({ tag }) => executor.account(tag).openOrders());
}

/** False when none was sent. What is not answered by the deadline is for the next call. */
async function cancelsAnswered(healing: Healing, options: HealOptions, clock: Clock): Promise<boolean> {
  const areCanceling = (): boolean => ordersOf(healing, options).some(({ state }) => state === 'canceling');
  if (!areCanceling()) return false;
  const deadline = clock.now() + CANCELS_MS_MAX;
  while (areCanceling() && clock.now() < deadline) {
    const pause = Promise.withResolvers<void>();
    clock.after(LOOK_MS, pause.resolve);
    await pause.promise;
  }
  return true;
}
