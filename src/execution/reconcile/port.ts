/**
 * The part of the executor that the reconciler works on: snapshots out, findings in. Made with the executor; the
 * session never sees it.
 */
import type { Balance, CashFlow, FundingPayment, VenuePosition } from '../../model/account.ts';
import type { VenueFill } from '../../model/fill.ts';
import type { Adjustment, Json, ReadToEntry } from '../../model/journal.ts';
import { dec, decimalText, type Decimal } from '../../model/money.ts';
import type { OrderReport, Side } from '../../model/order.ts';
import type { VenueEvent } from '../../model/venue.ts';
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import type { AlarmCode } from '../events.ts';
import type { ExecutorDeps } from '../executor-types.ts';
import type { Intake } from '../intake.ts';
import { isUnresolved } from '../order-machine.ts';
import { countOfIntent, intentIdOf, sessionOfIntent } from '../order-spec.ts';
import type { OwnOrder } from '../own-order.ts';
import type { ExternalOrders } from '../risk/exposure.ts';
import { adoptOrder, noteRewound } from './adopt.ts';
import type { LocalOrder } from './local-order.ts';

export interface ReconcilerPort {
  readonly deps: ExecutorDeps;
  /** Orders that are open, unresolved, or whose fills are not all booked. */
  liveOrders(): readonly LocalOrder[];
  /**
   * Those, and the closed ones that these name: nothing else can be said about a closed order. So a run costs what is open
   * and what was read, however many closed orders are remembered.
   */
  ordersIn(reports: readonly OrderReport[], fills: readonly VenueFill[]): readonly LocalOrder[];
  /** Trades up to then, Unix ms, may be of orders of ours that are not remembered any more. */
  forgottenTo(): number;
  /** It bears our mark, or the journal knows it. */
  isOurs(this: void, report: OrderReport): boolean;
  /** Intents decided so far, orders and cancels; the last one bears this number in its id. */
  intentCount(): number;
  /** Whether this session made the intent, remembered or not. */
  isOfThisSession(intentId: string): boolean;
  /** Symbols in which we have or had orders. */
  tradedSymbols(): ReadonlySet<string>;
  /**
   * Count of the oldest own intent that is on its way and could move a balance or position unseen; 0: one of an earlier process, or
   * money; `Infinity`: nothing is.
   */
  movingFrom(): number;
  /** No money is on its way to the trading account or from it by our own hand. */
  isMoneyStill(): boolean;
  /** Counts fills booked since the start: a reading from before the newest says nothing about balances. */
  fillCount(): number;
  /** Whether the account is known to hold something: by the journal, or as the venue has told. */
  holdsMoney(): boolean;
  /** Time of the last row before this start; 0 for a new journal. */
  lastTs(): number;
  /** Time of the first row of the journal; 0 for a new one. */
  bornAt(): number;
  /** How far the account was read and booked, by the journal; undefined in one that never said so. */
  readTo(): Omit<ReadToEntry, 'kind'> | undefined;
  /** Journals it, with the drifts. */
  haveRead(to: Pick<ReadToEntry, 'trades' | 'funding'>): void;
  /** Of a currency that perpetuals settle in, what own fills and funding did not explain at the last look, also of an earlier process. */
  drift(currency: string): Decimal | undefined;
  setDrift(currency: string, drift: Decimal): void;
  boot(): number;
  /** Runs everything inside as one turn: one commit, events after it. */
  turn(work: () => void): void;
  report(intentId: string, report: OrderReport): void;
  fill(fill: VenueFill): void;
  liquidation(report: OrderReport): void;
  /** A trade that is not of an order of ours; false when it is not of a liquidation either. */
  liquidationFill(fill: VenueFill): boolean;
  /** Books what waits of liquidations in this position up to then, since a difference is about to be taken over. */
  settleLiquidations(name: string, asOf: number): void;
  funding(payment: FundingPayment): void;
  /** Whether a human said that this order at the exchange is none of ours. */
  isDisowned(orderId: string): boolean;
  /** A human said that this order at the exchange is that of the intent, or none of ours. False, and without effect, when it cannot be journalled. */
  claim(intentId: string, report: OrderReport, reason: string): boolean;
  disown(orderId: string, reason: string): boolean;
  absent(intentId: string, asOf: number): void;
  neverArrived(intentId: string, evidence: Json): void;
  recancel(intentId: string): void;
  /** The order is over here and rests there: it is open again, and goes. False when its fills say that it is over. */
  reopen(intentId: string, report: OrderReport): boolean;
  /** Cancels an order that bears our mark and that no open order here explains. */
  cancelUnexplained(report: OrderReport): void;
  /** Whether this order of the session was made by rows that are gone, and nobody has said so yet. */
  tellsOfLostRows(report: OrderReport): boolean;
  /** The journal is in amnesia from here on, since this order tells of lost rows. */
  rewound(report: OrderReport): void;
  /** After a restore: which intents that the journal does not know are ours all the same; else false. */
  adopts(): false | ((intentId: string) => boolean);
  /** Takes over an order that the journal does not know. */
  adopt(report: OrderReport): void;
  balances(rows: readonly Balance[], whole: boolean): void;
  positions(rows: readonly VenuePosition[], whole: boolean): void;
  external(orders: ExternalOrders): void;
  /** When its opening was taken over, Unix ms; undefined when none was. */
  openedAt(subject: 'balance' | 'position', name: string): number | undefined;
  /** Whether the adjustment of this id is in the sums. */
  isBooked(id: string): boolean;
  explainedBalance(currency: string): Decimal;
  explainedPosition(symbol: string): Decimal;
  adjust(adjustment: Adjustment): void;
  /** Books money that came or went without a trade, once. */
  flow(flow: CashFlow): void;
  /** Whether a movement of money of this id is one of our own. */
  isOwnMovement(id: string): boolean;
  alarm(code: AlarmCode, message: string): void;
  onDoubt(listener: (reason: string) => void): void;
  /** Fills were booked in this symbol that the account should confirm. */
  onUnproved(listener: (symbol: string) => void): void;
  /** A fill of an own order is booked. */
  onBooked(listener: (fill: VenueFill) => void): void;
  /** Whether the side that is told of a trade of others can be believed. */
  believesSide(fill: VenueFill): boolean;
  /** A symbol is about to be traded for the first time of this process; its grid is journalled. */
  onTraded(listener: (symbol: string) => void): void;
  /** The likely side of one whose order no list shows. */
  likelySide(fill: VenueFill): Side;
  /** The private stream told of an order, or a trade of one, that is not known to be ours. */
  onUnowned(listener: (orderId: string) => void): void;
  /** Whether the private stream is ready now. */
  streamReady(): boolean;
  onStream(listener: (event: Extract<VenueEvent, { kind: 'stream' }>) => void): void;
}

export function createReconcilerPort(core: Core, intake: Intake, dispatcher: Dispatcher): ReconcilerPort {
  const byIntent = (intentId: string): OwnOrder | undefined => core.state.orders.byIntent(intentId);
  const drifts = new Map<string, Decimal>();
  const isOfThisSession = (intentId: string): boolean => core.state.sessions.has(sessionOfIntent(intentId));
  const isLost = (intentId: string): boolean => isOfThisSession(intentId) && !core.state.intents.has(intentId);
  return {
    deps: core.deps,
    liveOrders: () => [...core.state.orders.allLive()].map(localOrder),
    ordersIn: (reports, fills) => ordersIn(core, reports, fills),
    isOurs: ({ orderId, clientOrderId }) =>
      core.state.orders.byOrderId(orderId) !== undefined || intentIdOf(clientOrderId) !== undefined,
    forgottenTo: () => core.state.orders.forgottenTo,
    intentCount: () => core.state.intentCount,
    isOfThisSession,
    tradedSymbols: () => new Set(core.state.orders.symbols()),
    movingFrom: () => {
      let from = core.state.money.isTradingStill ? Number.POSITIVE_INFINITY : 0;
      for (const { intentId, progress } of core.state.orders.allLive())
        if (isUnresolved(progress) || progress.fillLots < progress.reportedLots)
          from = Math.min(from, countOfIntent(intentId, core.deps.bootId) ?? 0);
      return from;
    },
    isMoneyStill: () => core.state.money.isTradingStill,
    fillCount: () => intake.fillCount,
    holdsMoney: () =>
      core.balances.hasAny || core.state.explainsMoney(dec(core.deps.options.reconcile.balanceTolerance)),
    lastTs: () => core.state.resumedFrom,
    bornAt: () => core.state.bornAt,
    boot: () => core.state.boot,
    readTo: () => core.state.readTo,
    haveRead: (to) => {
      // Rows that wait for a journal that failed may never be written: what they book is to be read again.
      if (core.writer.failure !== undefined) return;
      const now = Object.fromEntries([...drifts].map(([currency, drift]) => [currency, decimalText(drift)]));
      const settled = { ...core.state.readTo?.settled, ...now };
      const isNone = Object.keys(settled).length === 0;
      core.state.readTo = { kind: 'read-to', ...to, ...(isNone ? {} : { settled }) };
      core.put(core.state.readTo);
    },
    drift: (currency) => {
      const before = core.state.readTo?.settled?.[currency];
      return drifts.get(currency) ?? (before === undefined ? undefined : dec(before));
    },
    setDrift: (currency, drift) => void drifts.set(currency, drift),
    turn: (work) => core.turn.run(work),
    report: (intentId, report) => {
      const order = byIntent(intentId);
      if (order !== undefined) intake.applyReport(order, report, 'reconcile');
    },
    fill: (fill) => {
      intake.fill(fill, 'reconcile');
    },
    liquidation: (report) => intake.liquidation(report),
    liquidationFill: (fill) => intake.liquidationFill(fill),
    settleLiquidations: (name, asOf) => intake.settleLiquidations(name, asOf),
    funding: (payment) => intake.funding(payment),
    isDisowned: (orderId) => core.state.disowned.has(orderId),
    claim: (intentId, report, reason) => claim(core, intake, { intentId, report, reason }),
    disown: (orderId, reason) => disown(core, orderId, reason),
    absent: (intentId, asOf) => {
      const order = byIntent(intentId);
      if (order !== undefined && order.absentSince === 0) order.absentSince = asOf;
    },
    neverArrived: (intentId, evidence) => neverArrived(core, intentId, evidence),
    recancel: (intentId) => {
      const order = byIntent(intentId);
      if (order === undefined) return;
      order.cancelDoubt = false;
      dispatcher.cancel([order], false);
    },
    reopen: (intentId, report) => {
      const order = byIntent(intentId);
      return order !== undefined && intake.reopen(order, report);
    },
    cancelUnexplained: (report) => dispatcher.cancelUnexplained(report),
    tellsOfLostRows: ({ clientOrderId, createdAt }) =>
      core.state.restored === undefined &&
      createdAt > core.state.acknowledgedAt &&
      isLost(intentIdOf(clientOrderId) ?? ''),
    rewound: (report) => noteRewound(core, report),
    adopts: () => core.state.restored !== undefined && isLost,
    adopt: (report) => adoptOrder(core, report),
    balances: (rows, whole) => intake.balances(rows, whole),
    positions: (rows, whole) => intake.positions(rows, whole),
    external: (orders) => void (core.risk.external = orders),
    openedAt: (subject, name) => core.state.openedAt(subject, name),
    isBooked: (id) => core.state.isBooked(id),
    explainedBalance: (currency) => core.state.explainedBalance(currency),
    explainedPosition: (symbol) => core.state.explainedPosition(symbol),
    adjust: (adjustment) => {
      core.adjust(adjustment);
      core.workWanted = true;
    },
    flow: (flow) => core.flowed(flow),
    isOwnMovement: (id) => core.state.money.claimed().has(id),
    alarm: (code, message) => core.alarm(code, message),
    onDoubt: (listener) => void (core.onDoubt = listener),
    onUnproved: (listener) => void (core.onUnproved = listener),
    onBooked: (listener) => void (core.onBooked = listener),
    believesSide: (fill) => core.toldSides.believes(fill, core.deps.instruments.find(fill.symbol)),
    onTraded: (listener) => void (core.onTraded = listener),
    onUnowned: (listener) => void (core.onUnowned = listener),
    likelySide: (fill) => core.toldSides.likely(fill, core.deps.instruments.find(fill.symbol)),
    streamReady: () => core.streamReady,
    onStream: (listener) => void (core.onStream = listener),
  };
}

function ordersIn(core: Core, reports: readonly OrderReport[], fills: readonly VenueFill[]): readonly LocalOrder[] {
  const { orders } = core.state;
  const found = new Set(orders.allLive());
  const add = (order: OwnOrder | undefined): void => {
    if (order !== undefined) found.add(order);
  };
  for (const { orderId, clientOrderId } of reports) {
    const intentId = intentIdOf(clientOrderId);
    add(orders.byOrderId(orderId));
    if (intentId !== undefined) add(orders.byIntent(intentId));
  }
  for (const { orderId } of fills) add(orders.byOrderId(orderId));
  return [...found].map(localOrder);
}

function localOrder(order: OwnOrder): LocalOrder {
  const { progress } = order;
  return {
    intentId: order.intentId,
    strategy: order.strategy,
    state: progress.state,
    request: order.request,
    orderId: order.orderId,
    sentAt: order.sentAt,
    offsetMs: order.offsetMs,
    ackedAt: order.ackedAt,
    ...(order.endedAt === 0 ? {} : { endedAt: order.endedAt }),
    missesFills: progress.fillLots < progress.reportedLots,
    cancelWanted: order.cancelWanted,
    cancelInFlight: order.cancelIntent !== undefined,
    absentSince: order.absentSince,
  };
}

interface Claim {
  readonly intentId: string;
  readonly report: OrderReport;
  readonly reason: string;
}

function claim(core: Core, intake: Intake, { intentId, report, reason }: Claim): boolean {
  const order = core.state.orders.byIntent(intentId);
  if (order === undefined) throw new RangeError(`no order ${intentId}`);
  if (!core.writer.commit({ kind: 'claimed', intentId, orderId: report.orderId, reason })) return false;
  intake.applyReport(order, report, 'reconcile');
  return true;
}

function disown(core: Core, orderId: string, reason: string): boolean {
  if (!core.writer.commit({ kind: 'disowned', orderId, reason })) return false;
  core.state.disowned.add(orderId);
  return true;
}

function neverArrived(core: Core, intentId: string, evidence: Json): void {
  const order = core.state.orders.byIntent(intentId);
  if (order === undefined || !isUnresolved(order.progress)) return;
  const before = order.progress.state;
  const message = 'proved absent: the signature window has passed and two complete readings show no trace of it';
  const flags = core.state.close(order, 'never_arrived', 'never_arrived', message);
  if (flags <= 0) return;
  core.put({ kind: 'closed', intentId, state: 'never_arrived', reason: 'never_arrived', message, evidence });
  core.changed(order, before, flags);
}
