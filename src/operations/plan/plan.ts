/**
 * What a restart of a live session would do, by one reconciliation pass on a copy of the journal. Reads only;
 * `reconcile` carries it out.
 */
import { clientOrderIdOf } from '../../spine/intent-id.ts';
import { journalDoubt } from '../../journal/verify.ts';
import { isClosed, isUnresolved } from '../../spine/orders/order-machine.ts';
import { orderUpdate, type OwnOrder } from '../../spine/orders/own-order.ts';
import type { ExecutorEvent } from '../../spine/events.ts';
import type { AccountRow } from '../../reconciler/account/account-rows.ts';
import type { Disagreement } from '../../reconciler/agreement.ts';
import type { Finding } from '../../reconciler/finding.ts';
import type { ReconcileReport } from '../../reconciler/reconciler.ts';
import { resumed } from '../../journal/resume.ts';
import type { Replay } from '../../spine/replay.ts';
import type { StateView } from '../../spine/trading-state.ts';
import type { Trial } from '../../spine/trials.ts';
import type { OrderOrigin } from '../../model/entries/journal.ts';
import type { OrderReport, OrderUpdate } from '../../model/trading/order.ts';
import { buildDoubt, buildId, lastBuild } from '../../session/store/build.ts';
import type { Said } from '../../session/healing/heal.ts';
import { healMoney, type MoneyFinding } from '../../session/money/heal-money.ts';
import { standingOffers, type StandingOffers } from '../../session/emergency/standing-offers.ts';
import { unheeded, unprotectedIn, type SessionState } from '../../session/upkeep/session-state.ts';
import { isOver } from '../../session/store/store.ts';
import { changesOf, openHealing, type HealOptions, type Healing } from '../../session/healing/healing.ts';
import type { Connection } from '../../session/connection/connection.ts';
import { shownProgram } from '../../session/result/program-row.ts';
import { choicesOf, closedByOthers, NONE } from '../../execution/intake/division.ts';
import { replayedPrograms } from '../../execution/programs/replayed-programs.ts';
import type { ProgramRow } from '../programs/session-programs.ts';
import { decisionsOf, pressing, saidOf, type Decision, type Wish } from './decisions.ts';
import { refusalsOf, type Refusal } from './refusals.ts';
import { standingLimits, type LimitRow } from './standing-limits.ts';

/** An own order that stands after the restart. */
export interface KeptOrder {
  readonly strategy: string;
  readonly origin: OrderOrigin;
  readonly order: OrderUpdate;
  readonly clientOrderId: string;
  /** `compare`: it stands until its strategy's next quote or target, and goes if that differs. */
  readonly next: 'keep' | 'compare';
}

export interface OpenFate {
  readonly strategy: string;
  readonly order: OrderUpdate;
  readonly clientOrderId: string;
  /** Unix ms until which it may still reach the exchange. */
  readonly fenceUntil: number;
  /** Candidates among more orders than could be ours: a human decides. */
  readonly couldBe: readonly OrderReport[];
  readonly resolvedBy: string;
}

export interface SessionPlan {
  readonly session: string;
  readonly account: string;
  readonly exchange: string;
  readonly running: boolean;
  readonly clean: boolean;
  /** Every poll was complete; otherwise an absence is not certain. */
  readonly complete: boolean;
  readonly failures: readonly string[];
  readonly doubts: readonly string[];
  readonly adopt: readonly KeptOrder[];
  /** At work by the journal: a start continues them. */
  readonly programs: readonly ProgramRow[];
  /** Positions that are being closed at market: a start continues that. */
  readonly flattens: readonly { readonly strategy: string; readonly symbol: string }[];
  /** Own orders that the restart cancels. */
  readonly cancel: readonly OrderUpdate[];
  readonly refuse: readonly Refusal[];
  /** Positions that an alarm has named and that have no exit. A start gives them none. */
  readonly unprotected: SessionState['unprotected'];
  readonly resolve: readonly OpenFate[];
  readonly decisions: readonly Decision[];
  /** Orders with our prefix that this journal does not know: a start cancels them. */
  readonly foreign: readonly OrderReport[];
  /** External orders; counted in risk, never touched. */
  readonly external: readonly OrderReport[];
  /** What is new to the journal: changed orders, fills, alarms. */
  readonly changes: readonly ExecutorEvent[];
  /** Money movements of unknown outcome, and what the exchange shows. */
  readonly money: readonly MoneyFinding[];
  readonly balances: readonly AccountRow[];
  readonly positions: readonly AccountRow[];
  readonly limits: readonly LimitRow[];
  /** Unapproved strategy versions, as of the last start. */
  readonly trials: readonly Trial[];
  /** P2P by the journal; the exchange is not asked. A start takes it over. */
  readonly p2p: StandingOffers;
  readonly requests: Readonly<Record<string, number>>;
  /** What still differs after the changes above. Empty, with no change: both agree. */
  readonly disagreements: readonly Disagreement[];
  /** Both sides agree; nothing to cancel, resolve or refuse, and no position without its exit. */
  readonly nothingToDo: boolean;
}

export interface PlanOptions extends Omit<HealOptions, 'dryRun'> {
  readonly running: boolean;
}

export interface Planned {
  readonly plan: SessionPlan;
  /** The wishes in the form that `heal` takes. */
  readonly said: Said | undefined;
}

/**
 * Throws journal errors, and `decision_not_open` or `decision_choice` for an invalid wish. Failed polls go to
 * `failures`.
 */
export async function planSession(options: PlanOptions, wishes: readonly Wish[] = [], reason = ''): Promise<Planned> {
  const healing = openHealing({ ...options, dryRun: true });
  try {
    const events: ExecutorEvent[] = [];
    healing.executor.listen((event) => void events.push(event));
    const report = await healing.reconciler.runNow({ isLast: true });
    // A running session resolves its money itself.
    const money = options.running ? [] : await healMoney({ ...options, dryRun: true });
    const replay = resumed(healing.journal);
    const { state } = replay;
    const plan = planOf(options, healing, replay, { report, changes: changesOf(events), money });
    if (wishes.length === 0) return { plan, said: undefined };
    const priced = await Promise.all(wishes.map((wish) => atTheMark(wish, state, options.connection)));
    const said = saidOf(priced, state, report.findings, reason);
    // On the copy, so that invalid wishes are refused first.
    for (const { id, choice } of said.divisions ?? []) healing.executor.human.division(id, choice, reason)();
    return { plan, said };
  } finally {
    healing.close();
  }
}

/** What others closed is booked at a price: as said, else the mark. */
async function atTheMark(wish: Wish, state: StateView, { exchange }: Connection): Promise<Wish> {
  const closed = closedByOthers(state).find(({ id }) => id === wish.id);
  if (closed === undefined || wish.choice === NONE || !choicesOf(closed).includes(wish.choice)) return wish;
  const mark = await exchange.futures.markPrice(closed.symbol);
  // `divide` asks for a price.
  return mark.kind === 'value' ? { ...wish, choice: `${wish.choice}@${mark.value.markPrice}` } : wish;
}

interface Compared {
  readonly report: ReconcileReport;
  readonly changes: readonly ExecutorEvent[];
  readonly money: readonly MoneyFinding[];
}

function planOf(options: PlanOptions, healing: Healing, replay: Replay, compared: Compared): SessionPlan {
  const { state } = replay;
  const { folder, config, running, connection } = options;
  const { record } = folder;
  const { report, changes, money } = compared;
  const { complete, failures, findings, disagreements, account } = report;
  const open = [...state.orders.allLive()].filter(({ progress }) => !isClosed(progress));
  const limits = standingLimits(state, {
    risk: config.risk,
    strategies: new Map(config.strategies.flatMap(({ tag, limits: own }) => (tag === undefined ? [] : [[tag, own]]))),
    reporting: config.account.reporting,
  });
  const now = connection.clock.now();
  const known = open.filter(({ progress }) => !isUnresolved(progress));
  const killFile = unheeded(folder.path);
  const goes = ({ cancelWanted }: OwnOrder): boolean => cancelWanted || killFile !== null;
  const parts = {
    cancel: known.filter(goes).map((order) => orderUpdate(order, now)),
    refuse: refusalsOf({
      state,
      record,
      running,
      buildDoubt: isOver(record) ? null : buildDoubt(lastBuild(folder.path), buildId()),
      instruments: healing.traded,
      account,
      limits,
      killFile,
    }),
    unprotected: unprotectedIn(replay),
    resolve: open
      .filter(({ progress }) => isUnresolved(progress))
      .map((order) => fateOf(order, options, now, candidatesOf(order, findings))),
    decisions: decisionsOf(state, findings),
    foreign: reportsOf(findings, 'foreign'),
    changes,
    money,
  };
  const isIdle = Object.values({ ...parts, decisions: pressing(parts.decisions) }).every((list) => list.length === 0);
  return {
    session: record.id,
    account: record.account,
    exchange: record.exchange,
    running,
    clean: record.clean,
    complete,
    failures,
    doubts: doubtsOf(folder.path),
    adopt: known.filter((order) => !goes(order)).map((order) => keptOf(order, now)),
    programs: replayedPrograms(replay)
      .filter((program) => program.state === 'working')
      .map(shownProgram),
    flattens: state.cleanStop
      ? []
      : [...state.flattening.values()].map(({ strategy, symbol }) => ({ strategy, symbol })),
    ...parts,
    external: reportsOf(findings, 'external'),
    balances: account.filter(({ subject }) => subject === 'balance'),
    positions: account.filter(({ subject }) => subject === 'position'),
    disagreements,
    limits,
    trials: state.trials.open(),
    p2p: standingOffers(state.money),
    requests: healing.requests(),
    nothingToDo: isIdle && disagreements.length === 0,
  };
}

/** A journal without its end is refused; a doubtful one is reported. */
function doubtsOf(path: string): readonly string[] {
  const doubt = journalDoubt(path);
  return doubt?.kind === 'unreadable' ? [`${doubt.message}; it is unknown whether rows are lost`] : [];
}

function keptOf(order: OwnOrder, now: number): KeptOrder {
  const { strategy, origin, intentId } = order;
  return {
    strategy,
    origin,
    order: orderUpdate(order, now),
    clientOrderId: clientOrderIdOf(intentId),
    next: origin === 'quote' || origin === 'target' ? 'compare' : 'keep',
  };
}

function candidatesOf({ intentId }: OwnOrder, findings: readonly Finding[]): readonly OrderReport[] {
  return findings.flatMap((finding) =>
    finding.kind === 'ambiguous' && finding.intentIds.includes(intentId) ? finding.orders : [],
  );
}

function fateOf(
  order: OwnOrder,
  { config, connection }: PlanOptions,
  now: number,
  couldBe: readonly OrderReport[],
): OpenFate {
  const { signatureWindowMs, fenceMarginMs, earlierClockMs, historyLagMs } = config.reconcile;
  const doubtMs = Math.max(2_000, connection.exchange.clockOffset.doubtMs);
  const fenceUntil = order.sentAt + signatureWindowMs + doubtMs + fenceMarginMs + earlierClockMs;
  const until = new Date(fenceUntil).toISOString();
  const lag = historyLagMs / 1_000;
  return {
    strategy: order.strategy,
    order: orderUpdate(order, now),
    clientOrderId: clientOrderIdOf(order.intentId),
    fenceUntil,
    couldBe,
    resolvedBy:
      couldBe.length > 0
        ? `these could be it: say which as shown under "for you to decide", or with \`reconcile --ours ${order.ref}=ID\` or \`--not-ours ID\``
        : now < fenceUntil
          ? `it is found at the exchange, or after ${until} two complete polls ${lag} s apart show that it is absent`
          : `it is found at the exchange, or two complete polls ${lag} s apart show that it is absent`,
  };
}

function reportsOf(findings: readonly Finding[], kind: 'foreign' | 'external'): readonly OrderReport[] {
  return findings.flatMap((finding) => (finding.kind === kind ? [finding.report] : []));
}
