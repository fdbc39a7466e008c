/**
 * Finding orders of unknown fate without a client order id: by their terms and the time in which they could have
 * arrived. Claims only when at most as many orders fit as are looked for, and fewer only where they are all of one strategy; else
 * it is ambiguous and a human decides, since a wrong claim would cancel somebody else's order, or book what one strategy
 * traded to another. Where the venue keeps our ids nothing is claimed by its terms
 * (INV-S5), but an order that shows none is in doubt, since an exchange may forget them. Pure.
 */
import { dec } from '../../model/money.ts';
import type { VenueFill } from '../../model/fill.ts';
import type { OrderReport } from '../../model/order.ts';
import type { Finding } from './compare.ts';
import type { LocalOrder } from './local-order.ts';

export interface MatchRules {
  /** After sending, until the request can no longer be accepted: window + clock doubt + margin. */
  readonly fenceMs: number;
  /**
   * How far the clocks may differ, as measured. A clock that fell behind since (a machine that was suspended) needs no more:
   * the exchange accepts by the time that was signed, which is the time at which we believe to have sent.
   */
  readonly skewMs: number;
  /** Orders sent up to `until` bear the time of an earlier process, whose clock may have been off by so much more. */
  readonly earlier: { readonly until: number; readonly moreMs: number };
  /** Whether the venue is to keep our client order ids. Nothing is claimed by its terms where it is. */
  readonly ids: 'absent' | 'kept';
  /** Whether the side that is told of a trade is known to be that of its own order. */
  readonly believesSide: (fill: VenueFill) => boolean;
  /** Whether that order of the venue was seen before this intent was sent, or a human said that it is none of ours. */
  readonly wasThere: (orderId: string, intentId: string) => boolean;
}

export interface Matches {
  readonly claims: readonly { readonly intentId: string; readonly report: OrderReport }[];
  readonly ambiguous: readonly Extract<Finding, { kind: 'ambiguous' }>[];
}

/** By so much the exchange's clock may have been behind when an order was signed whose row is lost. */
const LOST_OFFSET_MS = 3_600_000;

/** When it was signed by the exchange's clock, which accepts within the window around that and stamps it so. */
function stampOf({ sentAt, offsetMs }: LocalOrder): number {
  return sentAt + (offsetMs ?? 0);
}

/** The earliest that anything of the order may be dated, by either clock, without their doubts. */
export function earliestOf({ sentAt, offsetMs = 0 }: Pick<LocalOrder, 'sentAt' | 'offsetMs'>): number {
  return offsetMs === null ? sentAt - LOST_OFFSET_MS : sentAt + Math.min(0, offsetMs);
}

/** How far the time at which the order was sent may be from the exchange's. */
export function skewOf({ sentAt }: LocalOrder, { skewMs, earlier }: MatchRules): number {
  return sentAt <= earlier.until ? skewMs + earlier.moreMs : skewMs;
}

/** After sending, until this order can no longer be accepted. */
export function fenceOf({ sentAt }: LocalOrder, { fenceMs, earlier }: MatchRules): number {
  return sentAt <= earlier.until ? fenceMs + earlier.moreMs : fenceMs;
}

/**
 * A report without a client id that has the order's terms and was created while it could arrive. `earlierMs`: how far our
 * clock may have been ahead when it was sent.
 */
export function isCandidate(
  order: LocalOrder,
  report: OrderReport,
  rules: MatchRules,
  earlierMs = skewOf(order, rules),
): boolean {
  if (!hasItsTerms(order, report, rules)) return false;
  const stamp = stampOf(order);
  // The exchange compared the signed time with its own: how far a clock of ours was off makes nothing later, whoever sent it,
  // and how far one is in doubt now nothing earlier.
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
  // In hedge mode the same terms mean another order on the other side.
  if (report.positionSide !== undefined && report.positionSide !== (request.positionSide ?? 'both')) return false;
  return request.price === null || (report.price !== null && dec(report.price).eq(dec(request.price)));
}

/**
 * The same by the widest clock: what is known of the clock now may be better than what was known when the order was sent, but
 * nothing is accepted whose signature is further from the exchange's clock than the fence. Where nobody knows what was signed,
 * the exchange's clock may have stood anywhere.
 */
export function couldBe(order: LocalOrder, report: OrderReport, rules: MatchRules): boolean {
  const widestMs = fenceOf(order, rules);
  if (order.offsetMs !== null) return isCandidate(order, report, rules, widestMs);
  return hasItsTerms(order, report, rules) && report.createdAt >= earliestOf(order) - widestMs;
}

/**
 * A trade that may be of this order, by what it did: not one of an order that was there before, and in hedge mode none of the
 * other side. A position side that is not named, or that of one-way mode, tells nothing.
 */
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
    // Where the signature is lost nothing is nearer than anything else, unless it is all that there is: a human is shown all of it.
    const isFew = near.length > 0 && near.length <= group.length && rules.ids === 'absent';
    const isSignatureLost = !isFew && group.some(({ offsetMs }) => offsetMs === null);
    const looksFar = near.length === 0 || isSignatureLost;
    const far = looksFar ? reports.filter((report) => group.some((order) => couldBe(order, report, rules))) : [];
    // From further away only where nothing is left to choose.
    const candidates = isSignatureLost || far.length === group.length ? far : near;
    if (candidates.length === 0) continue;
    // The answer to one that is still being sent will name its order: until then any of these could be it.
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

/** Orders with the same terms can stand for each other. */
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

/** Fewer than are looked for, and one of them may be of either of two strategies: what each holds is not guessed. */
function isAnybodys(group: readonly LocalOrder[], candidates: readonly OrderReport[], rules: MatchRules): boolean {
  if (candidates.length >= group.length) return false;
  return candidates.some((report) => {
    const owners = group.filter((order) => couldBe(order, report, rules)).map(({ strategy }) => strategy);
    return new Set(owners).size > 1;
  });
}

/**
 * Newest to newest, as far as the time windows allow: of two that look the same an order that has just been made is the one that has just
 * left, and not one that has been on its way for half a minute.
 */
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
