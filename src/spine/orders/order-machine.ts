/**
 * What is known of one order, and how messages about it change that. Pure and mutable in place; one object per order.
 *
 * Everything here is a join: the cumulative quantity is a maximum, fills are a set, the venue's closing status and the
 * answer to the create are the highest seen. So any permutation and any duplication of an order's messages end in the
 * same state, an old message never takes a newer one back, and a closed order still takes late fills.
 *
 *   pending ─ sending ─┬─ unknown ──┐
 *                      ├─ open ─ partially_filled ─ (canceling) ─┬─ filled · canceled · expired
 *                      └─ rejected · denied · never_arrived      └─ and late fills after each
 *
 * Existence beats absence: a report or fill of an order that was concluded not to exist opens it again; the caller
 * writes a `correction` row, raises an alarm and cancels what still stands then. A closing status that was false is the one
 * thing that no join can take back: `reopen` does, on the word of a list that shows the order active (`reconciler/compare.ts`).
 */
import { ZERO, type Decimal } from '../../model/money.ts';
import { closedOrderStates, type OrderState, type VenueOrderStatus } from '../../model/order.ts';
import { TradeIds } from './trade-ids.ts';

/** How the create ended, by strength of proof. */
export const verdicts = { none: 0, unknown: 1, denied: 2, neverArrived: 3, refused: 4, exists: 5 } as const;
export type Verdict = (typeof verdicts)[keyof typeof verdicts];

/** Which closing status stands when a venue contradicts itself: the one that tells of more execution. */
const TERMINAL_RANK: Readonly<Record<VenueOrderStatus, number>> = {
  new: 0,
  partially_filled: 0,
  rejected: 1,
  expired: 2,
  canceled: 3,
  filled: 4,
};
const TERMINAL_STATE: readonly OrderState[] = ['open', 'rejected', 'expired', 'canceled', 'filled'];

export interface OrderProgress {
  readonly lots: number;
  state: OrderState;
  sent: boolean;
  verdict: Verdict;
  terminal: number;
  /** Highest cumulative quantity that the venue reported, lots. */
  reportedLots: number;
  /** Average price of that report; null when none. */
  reportedAverage: string | null;
  /** Σ of unique fills, lots. */
  fillLots: number;
  /** Σ price × quantity of unique fills, exact. */
  fillCost: Decimal;
  fillQuantity: Decimal;
  /** Of all fills; null before the first and once they differ. */
  fillPrice: Decimal | null;
  /** A cancel of this order may be on its way. */
  canceling: boolean;
  /** Trade ids of the applied fills. */
  trades: TradeIds | null;
}

/** What a message did; flags. 0: nothing new. */
export const CHANGED = 1;
/** A fill that goes beyond what the closed order was said to have filled. */
export const LATE = 2;
export const OVERFILL = 4;
/** The order exists although it had been concluded that it does not. */
export const CONTRADICTION = 8;

export interface ReportFacts {
  readonly status: VenueOrderStatus;
  readonly filledLots: number;
  readonly averagePrice: string | null;
}

export interface FillFacts {
  readonly tradeId: string;
  /** With a fraction where the quantity is off the grid: of an order from before the exchange made its lot coarser. */
  readonly lots: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Lots of a sum: fractions of lots do not add up to it exactly (seed 83178). */
  readonly lotsOf: (quantity: Decimal) => number;
}

export function createProgress(lots: number): OrderProgress {
  return {
    lots,
    state: 'pending',
    sent: false,
    verdict: verdicts.none,
    terminal: 0,
    reportedLots: 0,
    reportedAverage: null,
    fillLots: 0,
    fillCost: ZERO,
    fillQuantity: ZERO,
    fillPrice: null,
    canceling: false,
    trades: null,
  };
}

export function markSending(order: OrderProgress): number {
  order.sent = true;
  return settle(order, 0);
}

export function markCanceling(order: OrderProgress, canceling: boolean): number {
  order.canceling = canceling;
  return settle(order, 0);
}

/** The answer to the create, or a conclusion about it; weaker ones than the known one change nothing. */
export function applyVerdict(order: OrderProgress, verdict: Verdict): number {
  if (verdict <= order.verdict) return 0;
  const flags = verdict === verdicts.exists ? existence(order) : 0;
  order.verdict = verdict;
  return settle(order, flags);
}

export function applyReport(order: OrderProgress, report: ReportFacts): number {
  const flags = existence(order);
  const rank = TERMINAL_RANK[report.status];
  let changed = order.verdict !== verdicts.exists;
  order.verdict = verdicts.exists;
  if (rank > order.terminal) {
    order.terminal = rank;
    changed = true;
  }
  if (report.filledLots > order.reportedLots) {
    order.reportedLots = report.filledLots;
    order.reportedAverage = report.averagePrice;
    changed = true;
  } else if (report.filledLots === order.reportedLots && isHigher(report.averagePrice, order.reportedAverage)) {
    // The same cumulative quantity told twice with different averages: any fixed choice keeps the order of messages irrelevant.
    order.reportedAverage = report.averagePrice;
    changed = true;
  }
  const over = order.reportedLots > order.lots && changed ? OVERFILL : 0;
  return settle(order, flags | over | (changed ? CHANGED : 0));
}

/** It is active at the venue, although its last word was that it is over: what that said of its fills is void as well. */
export function reopen(order: OrderProgress, { status, filledLots: told, averagePrice }: ReportFacts): number {
  // Where the active list itself calls it over, trades alone say what has filled.
  const isOver = TERMINAL_RANK[status] > 0;
  order.terminal = 0;
  order.reportedLots = isOver ? order.fillLots : Math.max(told, order.fillLots);
  order.reportedAverage = isOver ? null : averagePrice;
  return settle(order, 0);
}

export function applyFill(order: OrderProgress, fill: FillFacts): number {
  order.trades ??= new TradeIds();
  if (order.trades.has(fill.tradeId)) return 0;
  let flags = existence(order) | CHANGED;
  const isFirst = order.trades.size === 0;
  order.trades.add(fill.tradeId);
  if (isFirst) order.fillPrice = fill.price;
  else if (order.fillPrice !== null && !order.fillPrice.eq(fill.price)) order.fillPrice = null;
  order.verdict = verdicts.exists;
  const closed = order.terminal > 0;
  order.fillCost = order.fillCost.plus(fill.price.times(fill.quantity));
  order.fillQuantity = order.fillQuantity.plus(fill.quantity);
  const lots = order.fillLots + fill.lots;
  order.fillLots = Number.isInteger(lots) ? lots : fill.lotsOf(order.fillQuantity);
  if (closed && order.fillLots > order.reportedLots) flags |= LATE;
  if (order.fillLots > order.lots) flags |= OVERFILL;
  return settle(order, flags);
}

/** The larger of what the venue reported and what the fills add up to. */
export function filledLots(order: OrderProgress): number {
  return order.reportedLots > order.fillLots ? order.reportedLots : order.fillLots;
}

export function isClosed(order: OrderProgress): boolean {
  return closedOrderStates.has(order.state);
}

/** Closed, and every reported quantity is booked as a fill: nothing more is expected. */
export function isSettled(order: OrderProgress): boolean {
  return isClosed(order) && order.fillLots >= order.reportedLots;
}

/**
 * Lots that are not in the position yet but may come: all of an open or unknown order that is not booked, and of a
 * closed one what was reported but not yet seen as a fill.
 */
export function reservedLots(order: OrderProgress): number {
  const upTo = isClosed(order) ? order.reportedLots : order.lots;
  return upTo > order.fillLots ? upTo - order.fillLots : 0;
}

/** Bytes may have left and there is no proof of the fate. */
export function isUnresolved(order: OrderProgress): boolean {
  return order.state === 'sending' || order.state === 'unknown';
}

/** What the exchange shows has been sent, also where the row that said so is lost. */
function existence(order: OrderProgress): number {
  order.sent = true;
  return order.verdict >= verdicts.denied && order.verdict < verdicts.exists ? CONTRADICTION | CHANGED : 0;
}

function isHigher(text: string | null, than: string | null): boolean {
  return text !== null && (than === null || text > than);
}

function settle(order: OrderProgress, flags: number): number {
  const state = derive(order);
  if (state === order.state) return flags;
  order.state = state;
  return flags | CHANGED;
}

function derive(order: OrderProgress): OrderState {
  const filled = filledLots(order);
  if (order.lots > 0 && filled >= order.lots) return 'filled';
  if (order.terminal > 0) return TERMINAL_STATE[order.terminal] ?? 'canceled';
  switch (order.verdict) {
    case verdicts.exists:
      if (order.canceling) return 'canceling';
      return filled > 0 ? 'partially_filled' : 'open';
    case verdicts.refused:
      return 'rejected';
    case verdicts.neverArrived:
      return 'never_arrived';
    case verdicts.denied:
      return 'denied';
    case verdicts.unknown:
      return 'unknown';
    default:
      return order.sent ? 'sending' : 'pending';
  }
}
