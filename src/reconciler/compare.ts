/**
 * Compares own orders with the venue's lists, both ways. One list is enough to show that an order exists. Its absence
 * needs two complete sets (active, history, trades), far enough apart, after the signature window.
 */
import type { Market } from '../model/market/instrument.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import { ZERO } from '../model/numbers/money.ts';
import type { OrderReport } from '../model/trading/order.ts';
import { itemsOf, type Reading } from '../model/result.ts';
import { isLiquidation } from '../spine/external-keys.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import {
  othersIn,
  couldBe,
  couldHaveTraded,
  earliestOf,
  fenceOf,
  matchUnknown,
  skewOf,
  type MatchRules,
} from './match.ts';
import { isUnproved, type LocalOrder } from './local-order.ts';
import type { Finding } from './finding.ts';

export interface Readings {
  /** Whose history and trades were read. An order of another market is never absent. */
  readonly markets: readonly Market[];
  readonly active: Reading<OrderReport>;
  /** Undefined when not requested. */
  readonly history: Reading<OrderReport> | undefined;
  readonly historyFrom: number;
  readonly trades: Reading<VenueFill>;
  readonly tradesFrom: number;
}

export interface CompareRules extends MatchRules {
  /** Least time between two sets that show an absence, ms. */
  readonly historyLagMs: number;
  /** Clock skew, exchange minus this machine, ms. Absences use the exchange's clock. */
  readonly offsetMs: number;
  /** Trusts an active list although it may lag. */
  readonly isLast?: boolean;
  /** Symbols for which nothing may be concluded. */
  readonly doubtful: ReadonlySet<string>;
  /** Orders with a booked external trade. */
  readonly others: ReadonlySet<string>;
  /** After a restore: whether an unjournalled intent belongs to this session. */
  readonly adopts: false | ((intentId: string) => boolean);
}

interface Comparison {
  readonly findings: Finding[];
  readonly readings: Readings;
  readonly rules: CompareRules;
  /** Orders that the active list shows. */
  readonly activeIds: ReadonlySet<string>;
  /** Reports without an own order, by id. */
  readonly unclaimed: ReadonlyMap<string, OrderReport>;
  readonly owners: Owners;
}

export function compareOrders(
  local: readonly LocalOrder[],
  readings: Readings,
  rules: CompareRules,
): readonly Finding[] {
  const findings: Finding[] = [];
  const active = itemsOf(readings.active);
  const history = itemsOf(readings.history);
  const owners = new Owners(local);
  const unclaimed = new Map<string, OrderReport>();
  for (const report of [...active, ...history]) {
    const owner = owners.of(report);
    if (owner !== undefined) findings.push({ kind: 'report', intentId: owner.intentId, report });
    else unclaimed.set(report.orderId, report);
  }
  // Before matching by terms, which would claim a liquidation.
  for (const [orderId, report] of unclaimed) {
    if (!isLiquidation(report)) continue;
    findings.push({ kind: 'liquidation', report });
    owners.liquidations.add(orderId);
    unclaimed.delete(orderId);
  }
  if (rules.adopts !== false) {
    for (const [orderId, report] of unclaimed) {
      const intentId = intentIdOf(report.clientOrderId);
      if (intentId === undefined || !rules.adopts(intentId)) continue;
      findings.push({ kind: 'adopt', report });
      unclaimed.delete(orderId);
    }
  }
  for (const orderId of rules.others) owners.others.add(orderId);
  for (const list of [active, history]) for (const orderId of othersIn(list, local)) owners.others.add(orderId);
  const nameless = [...unclaimed.values()].filter(({ orderId }) => !owners.others.has(orderId));
  const isWhole = readings.active.kind === 'complete' && readings.history?.kind === 'complete';
  const matches = isWhole ? matchUnknown(local, nameless, rules) : { claims: [], ambiguous: [] };
  for (const { intentId, report } of matches.claims) {
    findings.push({ kind: 'report', intentId, report });
    owners.claim(intentId, report.orderId);
    unclaimed.delete(report.orderId);
  }
  findings.push(...matches.ambiguous);
  const activeIds = new Set(active.map((report) => report.orderId));
  const comparison = { findings, readings, rules, activeIds, unclaimed, owners };
  for (const report of active) endedYetActive(comparison, report);
  compareFills(comparison);
  for (const report of history) endedWithLess(comparison, report);
  for (const order of local) compareOne(comparison, order);
  for (const report of active) {
    if (!unclaimed.has(report.orderId)) continue;
    findings.push({ kind: intentIdOf(report.clientOrderId) === undefined ? 'external' : 'foreign', report });
  }
  for (const report of history) {
    if (!unclaimed.has(report.orderId) || intentIdOf(report.clientOrderId) === undefined) continue;
    if (!activeIds.has(report.orderId)) findings.push({ kind: 'foreign-past', report });
  }
  return findings;
}

/** By venue id, else by client id. */
class Owners {
  readonly #byOrderId = new Map<string, LocalOrder>();
  readonly #byIntent = new Map<string, LocalOrder>();
  readonly found = new Set<string>();
  readonly liquidations = new Set<string>();
  readonly others = new Set<string>();

  constructor(local: readonly LocalOrder[]) {
    for (const order of local) {
      this.#byIntent.set(order.intentId, order);
      if (order.orderId !== undefined) this.#byOrderId.set(order.orderId, order);
    }
  }

  of(report: OrderReport): LocalOrder | undefined {
    const intentId = intentIdOf(report.clientOrderId);
    const owner =
      this.#byOrderId.get(report.orderId) ?? (intentId === undefined ? undefined : this.#byIntent.get(intentId));
    if (owner === undefined) return undefined;
    this.found.add(owner.intentId);
    this.#byOrderId.set(report.orderId, owner);
    return owner;
  }

  claim(intentId: string, orderId: string): void {
    const order = this.#byIntent.get(intentId);
    if (order === undefined) return;
    this.found.add(intentId);
    this.#byOrderId.set(orderId, order);
  }

  ofFill(fill: VenueFill): LocalOrder | undefined {
    return this.#byOrderId.get(fill.orderId);
  }
}

function endedYetActive({ findings, readings, rules, owners }: Comparison, report: OrderReport): void {
  const { asOf } = readings.active;
  const owner = owners.of(report);
  const { endedAt } = owner ?? {};
  if (owner === undefined || endedAt === undefined || asOf <= endedAt) return;
  const mayLag = rules.isLast !== true && asOf < endedAt + lagOf(endedAt, rules);
  findings.push({ kind: mayLag ? 'lingers' : 'rests', intentId: owner.intentId, report });
}

/** A pushed status may be false. Two complete lists that agree are believed. */
function endedWithLess({ findings, readings, rules, owners }: Comparison, report: OrderReport): void {
  const { history, trades, tradesFrom } = readings;
  const owner = owners.of(report);
  const { missesFills, endedAt } = owner ?? {};
  if (owner === undefined || missesFills !== true || endedAt === undefined) return;
  if (history?.kind !== 'complete' || trades.kind !== 'complete') return;
  if (earliestOf(owner) - fenceOf(owner, rules) < tradesFrom) return;
  if (Math.min(history.asOf, trades.asOf) < endedAt + lagOf(endedAt, rules)) return;
  const traded = trades.items
    .filter(({ orderId }) => orderId === report.orderId)
    .reduce((sum, { quantity }) => sum.plus(quantity), ZERO);
  if (traded.eq(report.filledQuantity)) findings.push({ kind: 'less', intentId: owner.intentId, report });
}

/** Largest lag of a list behind an end, ms. */
function lagOf(endedAt: number, { historyLagMs, earlier }: CompareRules): number {
  return historyLagMs + (endedAt <= earlier.until ? earlier.moreMs : 0);
}

/** Oldest first, because cost and attribution depend on the order. */
function compareFills({ findings, readings, owners }: Comparison): void {
  const fills = itemsOf(readings.trades)
    .toReversed()
    .toSorted((left, right) => left.ts - right.ts);
  for (const fill of fills) {
    const owner = owners.ofFill(fill);
    if (owner !== undefined) owners.found.add(owner.intentId);
    findings.push({ kind: owner === undefined ? 'external-fill' : 'fill', fill });
  }
}

function compareOne(comparison: Comparison, order: LocalOrder): void {
  const { findings, readings, rules, activeIds, owners } = comparison;
  const { intentId, orderId } = order;
  if (orderId !== undefined && activeIds.has(orderId) && order.cancelWanted && !order.cancelInFlight)
    findings.push({ kind: 'recancel', intentId });
  if (owners.found.has(intentId)) return;
  const isOpen = order.state === 'open' || order.state === 'partially_filled';
  if (isOpen && !isVanished(order, readings, rules)) return;
  if (isOpen) findings.push({ kind: 'vanished', intentId });
  if (!isOpen && !isUnproved(order) && !order.missesFills) return;
  const asOf = absenceAsOf(order, readings, rules);
  if (asOf === undefined) return;
  const doubt = doubtOf(comparison, order);
  if (doubt === 'stray-trade') findings.push({ kind: 'stray-trade' });
  if (doubt !== null) return;
  const venueAsOf = asOf + rules.offsetMs;
  if (order.absentSince === 0 || venueAsOf < order.absentSince) {
    findings.push({ kind: 'absent', intentId, asOf: venueAsOf });
  } else if (venueAsOf >= order.absentSince + absentLagOf(order, rules)) {
    if (!isUnproved(order)) {
      const kind = order.missesFills ? 'less' : 'report';
      findings.push({ kind, intentId, report: untraded(order, asOf) });
      return;
    }
    const evidence = {
      sentAt: order.sentAt,
      fenceMs: fenceOf(order, rules),
      firstAbsentAsOf: order.absentSince,
      secondAbsentAsOf: venueAsOf,
    };
    findings.push({ kind: 'never-arrived', intentId, evidence });
  }
}

/** Of an order that was reported open or filled and is nowhere. */
function untraded({ request, orderId = '', sentAt }: LocalOrder, asOf: number): OrderReport {
  const nothing = { status: 'canceled', filledQuantity: '0', averagePrice: null } as const;
  return { ...request, ...nothing, orderId, createdAt: sentAt, updatedAt: asOf };
}

/** Time between the polls, ms. Longer across processes. */
function absentLagOf({ absentSince, sentAt }: LocalOrder, rules: CompareRules): number {
  const { historyLagMs, offsetMs, earlier } = rules;
  if (earlier.isRebuilt === true && sentAt <= earlier.until) return 0;
  return absentSince <= earlier.until + offsetMs ? historyLagMs + earlier.moreMs : historyLagMs;
}

/** Both lists are newer than its acknowledgement. */
function isVanished(order: LocalOrder, readings: Readings, rules: CompareRules): boolean {
  const { active, history, historyFrom, markets } = readings;
  if (!markets.includes(order.request.market)) return false;
  if (active.kind !== 'complete' || history?.kind !== 'complete') return false;
  return (
    order.ackedAt + rules.historyLagMs < Math.min(active.asOf, history.asOf) &&
    earliestOf(order) - skewOf(order, rules) >= historyFrom
  );
}

/** Unix ms at which all lists cover the order beyond its fence; undefined: not yet. */
function absenceAsOf(order: LocalOrder, readings: Readings, rules: CompareRules): number | undefined {
  const { active, history, trades, markets } = readings;
  if (!markets.includes(order.request.market)) return undefined;
  if (active.kind !== 'complete' || history?.kind !== 'complete' || trades.kind !== 'complete') return undefined;
  if (earliestOf(order) - fenceOf(order, rules) < Math.max(readings.historyFrom, readings.tradesFrom)) return undefined;
  const asOf = Math.min(active.asOf, history.asOf, trades.asOf);
  return asOf >= order.sentAt + fenceOf(order, rules) ? asOf : undefined;
}

/** Why an unowned order or trade could belong to this order; null: none could. */
function doubtOf(
  { readings, rules, unclaimed, owners }: Comparison,
  order: LocalOrder,
): 'mismatch' | 'candidate' | 'stray-trade' | null {
  if (rules.doubtful.has(order.request.symbol)) return 'mismatch';
  for (const [orderId, report] of unclaimed)
    if (!owners.others.has(orderId) && couldBe(order, report, rules)) return 'candidate';
  for (const fill of itemsOf(readings.trades)) {
    if (owners.liquidations.has(fill.orderId) || owners.others.has(fill.orderId)) continue;
    if (owners.ofFill(fill) !== undefined || !couldHaveTraded(order, fill, rules)) continue;
    const report = unclaimed.get(fill.orderId);
    const explained = report !== undefined && !couldBe(order, report, rules);
    if (explained || fill.ts < earliestOf(order) - fenceOf(order, rules)) continue;
    return report === undefined ? 'stray-trade' : 'candidate';
  }
  return null;
}
