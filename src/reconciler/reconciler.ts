/**
 * Polls, compares (`compare.ts`) and heals, one reconciliation pass at a time: at start, on `ready`, on a timer and
 * after doubts. The gate stays closed until a complete pass, also after each loss of the stream.
 */
import { messageOf } from '../model/errors.ts';
import { itemsOf } from '../model/result.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { Cancel, Gate } from '../model/ports.ts';
import type { OrderReport, Side } from '../model/trading/order.ts';
import type { AlarmCode, Signal } from '../spine/events.ts';
import { checkBalances, checkPositions, proveMoves, rowsOf } from './account/account.ts';
import { AccountNotes, begin, bookedOwn, grantedTo, watch } from './account/account-notes.ts';
import { quantitiesOf, totalsOf, type AccountRow } from './account/account-rows.ts';
import { disagreements, type Disagreement } from './agreement.ts';
import { externalOrders } from './account/external-moves.ts';
import { bookTrades, NO_TRADES, sawOrder, TradeNotes } from './account/external-trades.ts';
import type { AccountEffect, Finding } from './finding.ts';
import { isInDoubt, isLeftOver, liveOrders, movingFrom, movingText, revealsLostRows } from './local-order.ts';
import { ReconcileGate } from './gate.ts';
import { InstanceGate } from './instance-gate.ts';
import { movementsFrom, takeMovements } from './account/movements.ts';
import type { Reconciled, ReconcilerPort } from './port.ts';
import { accountOf, compared, hasVanished, rulesOf, type Context, vanishedText } from './reconcile.ts';
import { ReadingPlanner, type ReadingPlannerOptions } from './reading-planner.ts';
import { Repairs } from './repairs.ts';
import { failuresOf, readAccount, unreadOf, type AccountReadings, type ReadingPlan } from './readings.ts';

export interface ReconcilerOptions extends ReadingPlannerOptions {
  /** A copy of a running session's journal, so unknown orders may be newer. */
  readonly isCopy?: boolean;
  /** Symbols whose openings are journalled before an order leaves. Default: all instruments. */
  readonly symbols?: readonly string[];
  /** Sessions that certainly do not run. Their remaining orders are own orders. */
  readonly earlierSessions?: ReadonlySet<string>;
  /** Called after each pass that applies. */
  readonly onPass?: (report: ReconcileReport) => void;
}

export interface ReconcileReport {
  readonly complete: boolean;
  readonly failures: readonly string[];
  readonly findings: readonly Finding[];
  /** Orders, fills and differences of the account that deviated from the exchange and were corrected. */
  readonly healed: number;
  /** After applying. Empty: journal and exchange agree. */
  readonly disagreements: readonly Disagreement[];
  readonly account: readonly AccountRow[];
}

interface RunOptions {
  readonly full?: boolean;
  /** False: only compares. */
  readonly apply?: boolean;
  /** Trusts an active list although it may lag. */
  readonly isLast?: boolean;
}

export type Reconciler = Pick<ReconcilerShell, 'granted' | 'runNow' | 'start' | 'stop' | 'streamLosses'> &
  Readonly<Record<'gate' | 'instanceGate', Gate>>;

/** ms after a doubt, in which the stream may settle it. */
const DOUBT_DELAY_MS = 250;
const UNEXPLAINED: ReadonlySet<Finding['kind']> = new Set(['lingers', 'rests', 'foreign', 'adopt']);

export function createReconciler(executor: Reconciled, options: ReconcilerOptions = {}): Reconciler {
  const reconciler = new ReconcilerShell(executor.reconcilerPort, options);
  executor.addGate(reconciler.gate);
  executor.addGate(reconciler.instanceGate);
  return reconciler;
}

class ReconcilerShell {
  readonly gate = new ReconcileGate();
  readonly instanceGate: InstanceGate;
  readonly #port: ReconcilerPort;
  readonly #notes = { account: new AccountNotes(), trades: new TradeNotes() };
  #trades = NO_TRADES;
  readonly #planner: ReadingPlanner;
  readonly #reported = new Set<string>();
  readonly #options: ReconcilerOptions;
  #timer: Cancel = () => {};
  #dueAt = Number.POSITIVE_INFINITY;
  #running: Promise<ReconcileReport> | undefined;
  /** A pass of the timer waits for a running one. */
  #isWaiting = false;
  #stopped = false;
  /** A pass that began before the newest stream state does not open the gate. */
  #streamEpoch = 0;
  #isUnexplained = false;
  /** An open own order is not listed, so history is polled first. */
  #missing = false;
  #fillCount = 0;
  readonly #repairs: Repairs;
  #late: Cancel | undefined;

  constructor(port: ReconcilerPort, options: ReconcilerOptions) {
    this.#port = port;
    this.#options = options;
    this.instanceGate = new InstanceGate(port);
    this.#planner = new ReadingPlanner(port, options, this.#notes.account.drifts);
    this.#repairs = new Repairs(port);
    if (port.state.heard.streamReady) this.gate.streamReady();
    port.follow((signal) => this.#follow(signal));
  }

  #follow(signal: Signal): void {
    const { kind } = signal;
    if (kind === 'doubt') this.#schedule(DOUBT_DELAY_MS);
    else if (kind === 'unbooked') this.#awaitTrades();
    else if (kind === 'unproved') {
      if (this.#port.deps.asksNobody !== true) this.gate.unproved.add(signal.symbol);
    } else if (kind === 'traded') {
      this.#carryOut(watch(accountOf(this.#context()), signal.symbol));
      this.#planner.trades(signal.symbol);
      if (this.#notes.account.hasBegun && this.gate.uncompared.size > 0) this.#schedule(DOUBT_DELAY_MS);
    } else if (kind === 'booked') {
      this.#fillCount++;
      bookedOwn(accountOf(this.#context()), signal.fill, signal.fill.ts - this.#planner.skewMs);
    } else if (kind === 'unowned') sawOrder(this.#notes.trades, this.#port.state, signal.orderId);
    else if (kind === 'stream') {
      this.#streamEpoch++;
      this.#repairs.heard(signal.event.state === 'ready');
      if (signal.event.state === 'lost') this.gate.streamLost(signal.event.reason);
      else this.gate.streamReady();
      if (signal.event.state === 'ready') this.#schedule(0);
    }
  }

  /** An order that was answered as filled, without its trades, is looked for soon. */
  #awaitTrades(): void {
    const { clock, options } = this.#port.deps;
    this.#late ??= clock.after(options.reconcile.urgentIntervalMs, () => {
      this.#late = undefined;
      if (liveOrders(this.#port.state).some(isInDoubt)) this.#schedule(0);
    });
  }

  /** Losses of the private stream, plus own trades that it did not push. */
  get streamLosses(): number {
    return this.gate.losses + this.#repairs.missed;
  }

  start(): void {
    this.#stopped = false;
    const { symbols = this.#port.deps.instruments.all().map(({ symbol }) => symbol) } = this.#options;
    this.#carryOut(begin(accountOf(this.#context()), symbols));
    this.#schedule(0);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer();
    this.#late?.();
    this.#late = undefined;
    this.#dueAt = Number.POSITIVE_INFINITY;
  }

  /** The initial amount of a simulation is the opening, however late. */
  granted({ currency, amount }: { readonly currency: string; readonly amount: string }): void {
    const port = this.#port;
    const id = `${port.state.boot}/balance/${currency}/granted`;
    port.turn(() => port.adjust({ id, subject: 'balance', name: currency, quantity: amount, cause: 'opening' }));
    grantedTo(accountOf(this.#context()), currency);
  }

  async runNow({ full = true, apply = true, isLast = false }: RunOptions = {}): Promise<ReconcileReport> {
    while (this.#running !== undefined) await this.#running;
    this.#running = this.#run({ full, apply, isLast });
    try {
      return await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    const { clock } = this.#port.deps;
    const due = clock.now() + delayMs;
    if (due >= this.#dueAt) return;
    this.#timer();
    this.#dueAt = due;
    this.#timer = clock.after(delayMs, () => {
      this.#dueAt = Number.POSITIVE_INFINITY;
      void this.#timed();
    });
  }

  /** Never rejects: an error is logged. At most one waits for a running pass, at whose end it is known what the next is to poll. */
  async #timed(): Promise<void> {
    if (this.#isWaiting) return;
    const { logger, options } = this.#port.deps;
    this.#isWaiting = true;
    while (this.#running !== undefined) await Promise.allSettled([this.#running]);
    this.#isWaiting = false;
    try {
      await this.runNow({ full: this.#planner.isSweepDue });
    } catch (thrown) {
      logger.error({ error: messageOf(thrown) }, 'the reconciler failed');
    }
    this.#schedule(this.#isUrgent() ? options.reconcile.urgentIntervalMs : options.reconcile.intervalMs);
  }

  #isUrgent(): boolean {
    if (!this.gate.open || this.gate.unproved.size > 0 || this.#isUnexplained) return true;
    return liveOrders(this.#port.state).some(isInDoubt);
  }

  async #run({ full, apply: wanted, isLast }: Required<RunOptions>): Promise<ReconcileReport> {
    const port = this.#port;
    const epoch = this.#streamEpoch;
    const from = movementsFrom(port.state, this.#notes.account.movements);
    const plan = this.#planner.next(full || this.#missing || !this.gate.open, from);
    if (wanted) this.#planner.begin();
    const fillsBefore = this.#fillCount;
    const healedBefore = this.#repairs.count;
    const askedAt = port.deps.clock.now();
    const readings = await readAccount(port.deps.venue.query, plan);
    // Stopped since: the journal may be closed.
    const apply = wanted && !this.#stopped;
    const failures = [...failuresOf(readings)];
    let findings: readonly Finding[] = [];
    const work = (): void => {
      // These lists may contain what it sent.
      if (apply && !port.takeSentElsewhere()) {
        failures.push('orders of a panic cannot be adopted');
        return;
      }
      findings = compared(this.#context(), readings, isLast);
      const telling = this.#options.isCopy
        ? undefined
        : findings
            .filter((one) => one.kind === 'foreign' || one.kind === 'foreign-past')
            .find(({ report }) => revealsLostRows(port.state, report));
      if (apply && telling !== undefined) {
        port.rewound(telling.report);
        findings = compared(this.#context(), readings, isLast);
      }
      const lost = findings.filter((finding) => finding.kind === 'adopt');
      if (apply && lost.length > 0) {
        for (const finding of lost) this.#repairs.carryOut(finding);
        // Once more, with the adopted orders.
        findings = compared(this.#context(), readings, isLast);
      }
      if (apply) this.#apply(findings, readings, fillsBefore);
    };
    if (apply) port.turn(work);
    else work();
    const complete = failures.length === 0;
    const failing = apply ? this.gate.passed(failures, port.deps.clock.now()) : undefined;
    if (failing !== undefined) port.turn(() => port.alarm('comparison_failing', failing));
    if (apply && complete) {
      port.turn(() => port.compared(askedAt));
      this.#completed(readings, plan, epoch);
    }
    if (!this.#stopped) port.deps.journal.idle();
    const account = rowsOf(accountOf(this.#context()), readings);
    const healed = this.#repairs.count - healedBefore;
    const left = disagreements(port.state, account, readings);
    const report = { complete, failures, findings, healed, account, disagreements: left };
    if (apply) this.#options.onPass?.(report);
    return report;
  }

  #completed(readings: AccountReadings, plan: ReadingPlan, epoch: number): void {
    const tradesTo = Math.min(readings.trades.asOf, this.#trades.waitingFrom);
    this.#planner.completed(readings, plan, tradesTo);
    this.#missing = !plan.wantsHistory && hasVanished(this.#port.state, readings);
    if (this.#missing) {
      this.#planner.sweepNext();
      this.#schedule(0);
    }
    if (epoch === this.#streamEpoch && !this.#missing && plan.wantsHistory) this.gate.complete();
    else if (!this.gate.open) this.#planner.sweepNext();
  }

  #apply(findings: readonly Finding[], readings: AccountReadings, fillsBefore: number): void {
    const port = this.#port;
    port.withdrawMoved(itemsOf(readings.trades));
    const external: OrderReport[] = [];
    const foreign: VenueFill[] = [];
    const liquidated: VenueFill[] = [];
    const context = this.#context();
    const account = accountOf(context);
    for (const finding of findings)
      if (finding.kind !== 'external-fill') this.#applyOne(finding, external);
      // May be an own liquidation, whose order is never active.
      else (port.carryOut(finding) ? liquidated : foreign).push(finding.fill);
    if (findings.some(({ kind }) => kind === 'stray-trade')) this.#planner.orderMissing();
    this.#isUnexplained = findings.some(({ kind }) => UNEXPLAINED.has(kind));
    const reportsOf = (kind: 'foreign' | 'foreign-past'): readonly OrderReport[] =>
      findings.flatMap((finding) => (finding.kind === kind ? [finding.report] : []));
    this.instanceGate.saw(reportsOf('foreign'), reportsOf('foreign-past'), readings);
    account.notes.others = foreign;
    // After attribution, and before sums.
    const likelySide = (fill: VenueFill): Side => port.toldSides.likely(fill, port.deps.instruments.find(fill.symbol));
    const found = { fills: foreign, liquidated };
    this.#trades = bookTrades(account, this.#notes.trades, found, rulesOf(context), likelySide, readings);
    this.#carryOut(this.#trades.effects);
    const isWaiting = this.#trades.waitingFrom < Number.POSITIVE_INFINITY;
    if (readings.trades.kind === 'complete' && !isWaiting)
      port.settleLiquidations(readings.trades.asOf - port.deps.options.reconcile.historyLagMs);
    if (this.#trades.asksWho || this.#trades.wantsHistory) this.#planner.sweepNext();
    if (this.#trades.wantsHistory) this.#schedule(port.deps.options.reconcile.urgentIntervalMs);
    if (readings.active.kind === 'complete') port.external(externalOrders(external, port.deps.instruments));
    // A snapshot older than the newest fill would revert it.
    const isCurrent = this.#fillCount === fillsBefore;
    const isCheck = isCurrent && readings.trades.kind === 'complete';
    // A waiting trade must not also be booked as a difference.
    const from = isWaiting ? 0 : movingFrom(port.state, port.deps.bootId);
    this.gate.waitsFor = movingText(port.state);
    const facts = { intents: port.state.intentCount, movingFrom: from };
    const { balances, positions, funding, movements } = readings;
    for (const payment of itemsOf(funding)) port.told({ kind: 'funding', payment });
    this.#planner.tookFunding(funding);
    const totals = balances.kind === 'complete' && isCheck ? totalsOf(balances.items) : null;
    this.#carryOut(takeMovements(account, movements, totals, (rows) => port.ownTransfers(rows)));
    const tried = this.#stopped ? '' : '; it is tried again';
    for (const [what, reason] of unreadOf(readings))
      port.deps.logger.warn({ reason }, `${what} could not be polled${tried}`);
    if (balances.kind === 'complete') {
      if (isCurrent) port.told({ kind: 'balances', balances: balances.items, whole: true });
      if (isCheck) this.#carryOut(checkBalances(account, balances.items, { ...facts, asOf: balances.asOf }));
      if (isCheck) proveMoves(account, 'spot', totalsOf(balances.items));
    }
    if (positions?.kind === 'complete') {
      port.told({ kind: 'positions', positions: positions.items, whole: true });
      if (isCheck) this.#carryOut(checkPositions(account, positions.items, { ...facts, asOf: positions.asOf }));
      if (isCheck) proveMoves(account, 'derivative', quantitiesOf(positions.items));
    }
    if (isCheck)
      this.#planner.tradesMissing(
        account.notes.differing.size > 0 || liveOrders(port.state).some((order) => order.missesFills),
      );
  }

  #applyOne(finding: Finding, external: OrderReport[]): void {
    const port = this.#port;
    switch (finding.kind) {
      case 'stray-trade':
      case 'foreign-past':
        return;
      case 'vanished':
        this.#once('order_vanished', vanishedText(port.state, finding.intentId));
        return;
      case 'ambiguous': {
        const orderIds = finding.orders.map(({ orderId }) => orderId).toSorted();
        const which = `${orderIds.join(', ')} could be ${finding.intentIds.join(', ')}`;
        this.#once('ambiguous_match', `${which}: say which with \`tidewire reconcile --ours\` or \`--not-ours\``);
        return;
      }
      case 'rests':
        if (!this.#repairs.carryOut(finding)) external.push(finding.report);
        return;
      case 'adopt':
      case 'foreign': {
        const { report } = finding;
        if (report.status !== 'new' && report.status !== 'partially_filled') return;
        external.push(report);
        // An order of another instance is left to a human.
        if (isLeftOver(port.state, report, this.#options.earlierSessions))
          this.#repairs.carryOut({ kind: 'foreign', report });
        return;
      }
      case 'lingers':
      case 'external':
        // One that lingers may fill until the list is trusted.
        if (finding.kind === 'lingers') port.carryOut(finding);
        external.push(finding.report);
        return;
      default:
        this.#repairs.carryOut(finding);
    }
  }

  #context(): Context {
    return { port: this.#port, notes: this.#notes, gate: this.gate, skewMs: this.#planner.skewMs };
  }

  #carryOut(effects: readonly AccountEffect[]): void {
    for (const effect of effects)
      if (effect.kind === 'adjust') this.#repairs.adjust(effect.adjustment);
      else if (effect.kind === 'flow') this.#port.flow(effect.flow);
      else this.#port.alarm(effect.code, effect.message);
  }

  /** Once per message. The memory is bounded by clearing it. */
  #once(code: AlarmCode, message: string): void {
    if (this.#reported.has(message)) return;
    if (this.#reported.size > 1_000) this.#reported.clear();
    this.#reported.add(message);
    this.#port.alarm(code, message);
  }
}
