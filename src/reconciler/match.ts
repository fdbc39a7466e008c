/**
 * Matches unknown outcomes to orders without client id, by terms and arrival window. A human decides if the venue keeps
 * ids, if more orders fit than are sought, or if fewer fit and several strategies seek.
 */
import { dec } from '../model/numbers/money.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { OrderReport } from '../model/trading/order.ts';
import { intentIdOf } from '../spine/intent-id.ts';
import type { Finding } from './finding.ts';
import type { LocalOrder } from './local-order.ts';

export interface MatchRules {
  /** Time until a rejection is certain, ms: window + clock doubt + margin. */
  readonly fenceMs: number;
  /** Measured clock skew, ms. The exchange checks the signed time, so a later delay adds none. */
  readonly skewMs: number;
  /**
   * Orders sent until `until` were dated by a process whose clock may be worse by `moreMs`. `isRebuilt`: the venue was
   * rebuilt from this journal since, so none of them is in flight.
   */
  readonly earlier: { readonly until: number; readonly moreMs: number; readonly isRebuilt?: boolean };
  readonly ids: 'absent' | 'kept';
  /** Whether the reported side is the order's. */
  readonly believesSide: (fill: VenueFill) => boolean;
  /** Seen before the intent was sent, or disowned by a human. */
  readonly wasThere: (orderId: string, intentId: string) => boolean;
}

export interface Matches {
  readonly claims: readonly { readonly intentId: string; readonly report: OrderReport }[];
  readonly ambiguous: readonly Extract<Finding, { kind: 'ambiguous' }>[];
}

/** Largest lag of the exchange's clock when its skew is lost, ms. */
const LOST_OFFSET_MS = 3_600_000;

/** Signing time by the exchange's clock. */
function stampOf({ sentAt, offsetMs }: LocalOrder): number {
  return sentAt + (offsetMs ?? 0);
}

/** Earliest date by either clock. */
export function earliestOf({ sentAt, offsetMs = 0 }: Pick<LocalOrder, 'sentAt' | 'offsetMs'>): number {
  return offsetMs === null ? sentAt - LOST_OFFSET_MS : sentAt + Math.min(0, offsetMs);
}

export function skewOf({ sentAt }: LocalOrder, { skewMs, earlier }: MatchRules): number {
  return sentAt <= earlier.until ? skewMs + earlier.moreMs : skewMs;
}

export function fenceOf({ sentAt }: LocalOrder, { fenceMs, earlier }: MatchRules): number {
  if (sentAt > earlier.until) return fenceMs;
  return earlier.isRebuilt === true ? 0 : fenceMs + earlier.moreMs;
}

/**
 * No client id, same terms, and created while the order could arrive. `earlierMs`: largest lead of this machine's clock
 * at sending.
 */
export function isCandidate(
  order: LocalOrder,
  report: OrderReport,
  rules: MatchRules,
  earlierMs = skewOf(order, rules),
): boolean {
  if (!hasItsTerms(order, report, rules)) return false;
  const stamp = stampOf(order);
  // The exchange checked the signed time, so skew shifts neither bound.
  const acceptedMs = fenceOf(order, rules) - rules.skewMs;
  return report.createdAt >= stamp - Math.min(earlierMs, acceptedMs) && report.createdAt <= stamp + rules.fenceMs;
}

function hasItsTerms(order: LocalOrder, report: OrderReport, rules: MatchRules): boolean {
  if (report.clientOrderId !== undefined || order.orderId !== undefined) return false;
  if (rules.wasThere(report.orderId, order.intentId)) return false;
  const { request } = order;
  if (report.symbol !== request.symbol || report.market !== request.market) return false;
  if (report.side !== request.side || report.type !== request.type) return false;
  if (!dec(report.quantity).eq(dec(request.quantity))) return false;
  if (report.positionSide !== undefined && report.positionSide !== (request.positionSide ?? 'both')) return false;
  return request.price === null || (report.price !== null && dec(report.price).eq(dec(request.price)));
}

/** As `isCandidate`, with the widest doubt. With an unknown signing time any exchange clock is possible. */
export function couldBe(order: LocalOrder, report: OrderReport, rules: MatchRules): boolean {
  const widestMs = fenceOf(order, rules);
  if (order.offsetMs !== null) return isCandidate(order, report, rules, widestMs);
  return hasItsTerms(order, report, rules) && report.createdAt >= earliestOf(order) - widestMs;
}

/** A missing or one-way position side excludes nothing. */
export function couldHaveTraded({ request, intentId }: LocalOrder, fill: VenueFill, rules: MatchRules): boolean {
  const { positionSide: ours = 'both' } = request;
  const { symbol, side, positionSide = 'both' } = fill;
  if (request.symbol !== symbol || rules.wasThere(fill.orderId, intentId)) return false;
  if (request.side !== side && rules.believesSide(fill)) return false;
  return ours === 'both' || positionSide === 'both' || ours === positionSide;
}

export function matchUnknown(
  local: readonly LocalOrder[],
  reports: readonly OrderReport[],
  rules: MatchRules,
): Matches {
  const claims: { intentId: string; report: OrderReport }[] = [];
  const ambiguous: Extract<Finding, { kind: 'ambiguous' }>[] = [];
  for (const group of groupByTerms(local.filter(isSought))) {
    const near = reports.filter((report) => group.some((order) => isCandidate(order, report, rules)));
    // After a lost signing time a human sees all candidates, unless the near ones suffice.
    const isFew = near.length > 0 && near.length <= group.length && rules.ids === 'absent';
    const isSignatureLost = !isFew && group.some(({ offsetMs }) => offsetMs === null);
    const looksFar = near.length === 0 || isSignatureLost;
    const far = looksFar ? reports.filter((report) => group.some((order) => couldBe(order, report, rules))) : [];
    // Far candidates count only if they leave no choice.
    const candidates = isSignatureLost || far.length === group.length ? far : near;
    if (candidates.length === 0) continue;
    // The pending answer will name its order.
    if (group.some((order) => order.state === 'sending')) continue;
    const isDoubtful = candidates.length > group.length || rules.ids === 'kept' || isSignatureLost;
    if (isDoubtful || isAnybodys(group, candidates, rules)) {
      ambiguous.push({
        kind: 'ambiguous',
        intentIds: group.map((order) => order.intentId),
        orders: candidates,
      });
      continue;
    }
    claims.push(...assign(group, candidates, rules));
  }
  return { claims, ambiguous };
}

function isSought(order: LocalOrder): boolean {
  return order.orderId === undefined && (order.state === 'unknown' || order.state === 'sending');
}

function groupByTerms(orders: readonly LocalOrder[]): readonly (readonly LocalOrder[])[] {
  const groups = new Map<string, LocalOrder[]>();
  for (const order of orders) {
    const { request } = order;
    const { market, symbol, side, type, price, quantity, positionSide = 'both' } = request;
    const key = [market, symbol, side, type, price, quantity, positionSide].join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [order]);
    else group.push(order);
  }
  return [...groups.values()];
}

/** Fewer orders than sought, by several strategies. */
function isAnybodys(group: readonly LocalOrder[], candidates: readonly OrderReport[], rules: MatchRules): boolean {
  if (candidates.length >= group.length) return false;
  return candidates.some((report) => {
    const owners = group.filter((order) => couldBe(order, report, rules)).map(({ strategy }) => strategy);
    return new Set(owners).size > 1;
  });
}

function assign(
  group: readonly LocalOrder[],
  candidates: readonly OrderReport[],
  rules: MatchRules,
): { intentId: string; report: OrderReport }[] {
  const claims: { intentId: string; report: OrderReport }[] = [];
  const free = [...group].sort((a, b) => b.sentAt - a.sentAt);
  for (const report of [...candidates].sort((a, b) => b.createdAt - a.createdAt)) {
    const near = free.findIndex((order) => isCandidate(order, report, rules));
    const at = near >= 0 ? near : free.findIndex((order) => couldBe(order, report, rules));
    const [order] = at < 0 ? [] : free.splice(at, 1);
    if (order !== undefined) claims.push({ intentId: order.intentId, report });
  }
  return claims;
}

/**
 * Order ids in one list that are certainly external. A missing client id is evidence only if the list keeps ids: it has
 * ours on an older and on a younger order, and lacks none that we know. An exchange may forget ids.
 */
export function othersIn(list: readonly OrderReport[], local: readonly LocalOrder[]): readonly string[] {
  const ours = new Set(local.map(({ orderId }) => orderId));
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { orderId, clientOrderId, createdAt } of list) {
    if (intentIdOf(clientOrderId) !== undefined) {
      oldest = Math.min(oldest, createdAt);
      newest = Math.max(newest, createdAt);
    } else if (ours.has(orderId)) return [];
  }
  return list.flatMap(({ orderId, clientOrderId, createdAt }) =>
    clientOrderId === undefined && createdAt >= oldest && createdAt <= newest ? [orderId] : [],
  );
}
