/**
 * What readings of the venue say about own orders. Pure: local orders and readings in, findings out; nothing is
 * applied here. Presence is evidence in any reading, absence only in complete ones, and an order is concluded not to
 * exist only by proof: the signature window has passed, and two complete sets of readings (active, history, own
 * trades), far enough apart, show neither it nor anything that could be it (reliability §0.4 to §0.6). It compares both
 * ways: what is open here must be there, and what is active there and ours must be open here.
 */
import type { VenueFill } from '../../model/fill.ts';
import type { Json } from '../../model/journal.ts';
import type { OrderReport } from '../../model/order.ts';
import type { Reading } from '../../model/result.ts';
import { isLiquidation } from '../liquidations.ts';
import { intentIdOf } from '../order-spec.ts';
import { othersIn } from './forgotten-ids.ts';
import type { LocalOrder } from './local-order.ts';
import { couldBe, couldHaveTraded, earliestOf, fenceOf, matchUnknown, skewOf, type MatchRules } from './match.ts';

export interface Readings {
  readonly active: Reading<OrderReport>;
  /** Undefined when it was not asked for. */
  readonly history: Reading<OrderReport> | undefined;
  readonly historyFrom: number;
  readonly trades: Reading<VenueFill>;
  readonly tradesFrom: number;
}

export interface CompareRules extends MatchRules {
  /** Distance of the two sets of readings that prove an absence. */
  readonly historyLagMs: number;
  /** Nobody looks again later: the active list is believed at once, although it may lag like the others. */
  readonly isLast?: boolean;
  /** Symbols with an unexplained difference in balance or position: nothing is concluded there. */
  readonly doubtful: ReadonlySet<string>;
  /** Orders of which a trade is booked as of others: that was only done when it could be none of ours. */
  readonly others: ReadonlySet<string>;
  /** After a restore from a backup: whether an intent that the journal does not know is of this session; else false. */
  readonly adopts: false | ((intentId: string) => boolean);
}

export type Finding =
  | { readonly kind: 'report'; readonly intentId: string; readonly report: OrderReport }
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  | { readonly kind: 'absent'; readonly intentId: string; readonly asOf: number }
  | { readonly kind: 'never-arrived'; readonly intentId: string; readonly evidence: Json }
  | { readonly kind: 'vanished'; readonly intentId: string }
  | { readonly kind: 'recancel'; readonly intentId: string }
  /** Over here, by the venue's word; active in a list that was asked for since, and that may lag. */
  | { readonly kind: 'lingers'; readonly intentId: string; readonly report: OrderReport }
  /** The same of a list that cannot lag so much: that word was false. */
  | { readonly kind: 'rests'; readonly intentId: string; readonly report: OrderReport }
  /** Each of `orders` could be any of these. */
  | { readonly kind: 'ambiguous'; readonly intentIds: readonly string[]; readonly orders: readonly OrderReport[] }
  /** Bears our prefix, but the journal does not know it. */
  | { readonly kind: 'foreign'; readonly report: OrderReport }
  /** The same of one that ended. */
  | { readonly kind: 'foreign-past'; readonly report: OrderReport }
  /** The same after a restore: it was lost with the rows after the backup. */
  | { readonly kind: 'adopt'; readonly report: OrderReport }
  | { readonly kind: 'external'; readonly report: OrderReport }
  /** The exchange closed a position by itself. */
  | { readonly kind: 'liquidation'; readonly report: OrderReport }
  /** A trade of an order that is not in the history that was read may be of one of unknown fate: look further back. */
  | { readonly kind: 'stray-trade' }
  | { readonly kind: 'external-fill'; readonly fill: VenueFill };

export function itemsOf<T>(reading: Reading<T> | undefined): readonly T[] {
  return reading === undefined || reading.kind === 'failed' ? [] : reading.items;
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
  // Before any is matched by its terms: an order of the exchange's own is nobody's lost one.
  for (const [orderId, report] of unclaimed) {
    if (!isLiquidation(report)) continue;
    findings.push({ kind: 'liquidation', report });
    owners.liquidations.add(orderId);
    unclaimed.delete(orderId);
  }
  if (rules.adopts !== false) {
    for (const [orderId, report] of unclaimed) {
      const intentId = intentIdOf(report.clientOrderId);
      if (intentId === undefined || rules.others.has(orderId) || !rules.adopts(intentId)) continue;
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
  for (const report of active) findings.push(...endedYetActive(report, owners, readings.active.asOf, rules));
  compareFills(findings, readings, owners);
  const activeIds = new Set(active.map((report) => report.orderId));
  for (const order of local) {
    compareOne(findings, order, readings, rules, activeIds, unclaimed, owners);
  }
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

/** Whose a report or trade is: by the venue's id, else by our client id. */
class Owners {
  readonly #byOrderId = new Map<string, LocalOrder>();
  readonly #byIntent = new Map<string, LocalOrder>();
  readonly found = new Set<string>();
  /** Orders by which the exchange closed a position: what they traded is no lost order's. */
  readonly liquidations = new Set<string>();
  /** Orders that are somebody else's, whatever their terms. */
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

/** The other way round: what is active there is open here. */
function endedYetActive(
  report: OrderReport,
  owners: Owners,
  asOf: number,
  rules: CompareRules,
): readonly Extract<Finding, { kind: 'lingers' | 'rests' }>[] {
  const owner = owners.of(report);
  const { endedAt } = owner ?? {};
  if (owner === undefined || endedAt === undefined || asOf <= endedAt) return [];
  const lagMs = rules.historyLagMs + (endedAt <= rules.earlier.until ? rules.earlier.moreMs : 0);
  const mayLag = rules.isLast !== true && asOf < endedAt + lagMs;
  return [{ kind: mayLag ? 'lingers' : 'rests', intentId: owner.intentId, report }];
}

/** As they happened: lists have the newest first, while what a position cost, and who held it, depends on what came before. */
function compareFills(findings: Finding[], readings: Readings, owners: Owners): void {
  const fills = itemsOf(readings.trades)
    .toReversed()
    .toSorted((left, right) => left.ts - right.ts);
  for (const fill of fills) {
    const owner = owners.ofFill(fill);
    if (owner !== undefined) owners.found.add(owner.intentId);
    findings.push({ kind: owner === undefined ? 'external-fill' : 'fill', fill });
  }
}

function compareOne(
  findings: Finding[],
  order: LocalOrder,
  readings: Readings,
  rules: CompareRules,
  activeIds: ReadonlySet<string>,
  unclaimed: ReadonlyMap<string, OrderReport>,
  owners: Owners,
): void {
  const { intentId, orderId } = order;
  if (orderId !== undefined && activeIds.has(orderId) && order.cancelWanted && !order.cancelInFlight)
    findings.push({ kind: 'recancel', intentId });
  if (owners.found.has(intentId)) return;
  if (order.state === 'open' || order.state === 'partially_filled' || order.state === 'canceling') {
    if (isVanished(order, readings, rules)) findings.push({ kind: 'vanished', intentId });
    return;
  }
  if (order.state !== 'unknown' && order.state !== 'sending') return;
  const asOf = absenceAsOf(order, readings, rules);
  if (asOf === undefined) return;
  const doubt = doubtOf(order, readings, rules, unclaimed, owners);
  if (doubt === 'stray-trade') findings.push({ kind: 'stray-trade' });
  if (doubt !== null) return;
  if (order.absentSince === 0) {
    findings.push({ kind: 'absent', intentId, asOf });
  } else if (asOf >= order.absentSince + rules.historyLagMs) {
    const evidence = {
      sentAt: order.sentAt,
      fenceMs: fenceOf(order, rules),
      firstAbsentAsOf: order.absentSince,
      secondAbsentAsOf: asOf,
    };
    findings.push({ kind: 'never-arrived', intentId, evidence });
  }
}

/** In neither of two complete lists that were asked for after it was acknowledged. */
function isVanished(order: LocalOrder, readings: Readings, rules: CompareRules): boolean {
  const { active, history, historyFrom } = readings;
  if (active.kind !== 'complete' || history?.kind !== 'complete') return false;
  return (
    order.ackedAt + rules.historyLagMs < Math.min(active.asOf, history.asOf) &&
    earliestOf(order) - skewOf(order, rules) >= historyFrom
  );
}

/** The time as of which every reading is complete, covers the order and lies behind its fence; else undefined. */
function absenceAsOf(order: LocalOrder, readings: Readings, rules: CompareRules): number | undefined {
  const { active, history, trades } = readings;
  if (active.kind !== 'complete' || history?.kind !== 'complete' || trades.kind !== 'complete') return undefined;
  if (earliestOf(order) - fenceOf(order, rules) < Math.max(readings.historyFrom, readings.tradesFrom)) return undefined;
  const asOf = Math.min(active.asOf, history.asOf, trades.asOf);
  return asOf >= order.sentAt + fenceOf(order, rules) ? asOf : undefined;
}

/** Something is there that nobody owns and that could be this order: then its absence is not proved. Null: nothing is. */
function doubtOf(
  order: LocalOrder,
  readings: Readings,
  rules: CompareRules,
  unclaimed: ReadonlyMap<string, OrderReport>,
  owners: Owners,
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
