/**
 * What is known of one order, and how messages change it. One mutable object per order.
 *
 * Everything here is a join: the cumulative quantity is a maximum, fills are a set, closing status and create answer
 * are the highest seen. So any permutation and duplication of messages ends in the same state. A closed order still
 * takes late fills.
 *
 *   pending ─ sending ─┬─ unknown ──┐
 *                      ├─ open ─ partially_filled ─┬─ filled · canceled · expired
 *                      │                           └─ and late fills after each
 *                      └─ rejected · denied · never_arrived
 *
 * A report or fill reopens an order that was concluded not to exist (`CONTRADICTION`). Only `reopen` reverts a false
 * closing status, when a list shows the order active (`reconciler/compare.ts`).
 */
import { ZERO, type Decimal } from '../../model/numbers/money.ts';
import { closedOrderStates, type OrderState, type VenueOrderStatus } from '../../model/trading/order.ts';
import { TradeIds } from './trade-ids.ts';

/** How the create ended, by strength of evidence. */
export const verdicts = { none: 0, unknown: 1, denied: 2, neverArrived: 3, refused: 4, exists: 5 } as const;
export type Verdict = (typeof verdicts)[keyof typeof verdicts];

/** When the venue contradicts itself, the status with more execution wins. */
const TERMINAL_RANK: Readonly<Record<VenueOrderStatus, number>> = {
  new: 0,
  partially_filled: 0,
  rejected: 1,
  expired: 2,
  canceled: 3,
  filled: 4,
};
const TERMINAL_STATE: readonly HeldState[] = ['open', 'rejected', 'expired', 'canceled', 'filled'];

/** Only this process knows of a cancel in flight, so `canceling` is not held. */
export type HeldState = Exclude<OrderState, 'canceling'>;

export class OrderProgress {
  readonly lots: number;
  state: HeldState = 'pending';
  sent = false;
  verdict: Verdict = verdicts.none;
  terminal = 0;
  /** Highest cumulative quantity reported, lots. */
  reportedLots = 0;
  /** Average price of that report. */
  reportedAverage: string | null = null;
  /** Σ unique fills, lots. */
  fillLots = 0;
  /** Σ price × quantity of unique fills. */
  fillCost: Decimal = ZERO;
  fillQuantity: Decimal = ZERO;
  /** Price of all fills; null before the first and once they differ. */
  fillPrice: Decimal | null = null;
  trades: TradeIds | null = null;

  constructor(lots: number) {
    this.lots = lots;
  }
}

/** Flags of a message's effect; 0: none. */
export const CHANGED = 1;
/** A fill beyond the reported quantity of a closed order. */
export const LATE = 2;
export const OVERFILL = 4;
/** The order was concluded not to exist. */
export const CONTRADICTION = 8;

export interface ReportFacts {
  readonly status: VenueOrderStatus;
  readonly filledLots: number;
  readonly averagePrice: string | null;
}

export interface FillFacts {
  readonly tradeId: string;
  /** As `TradeIds` keeps them. */
  readonly terms?: string;
  /** Negative for a correction that withdraws. A fraction where the lot became coarser since the order. */
  readonly lots: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Lots of a sum. Fractions of lots do not add up exactly, so sum the quantities first. */
  readonly lotsOf: (quantity: Decimal) => number;
}

export function markSending(order: OrderProgress): number {
  order.sent = true;
  return settle(order, 0);
}

/** A weaker or equal verdict changes nothing. */
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
    // Same quantity, other average: any fixed choice is independent of the order of messages.
    order.reportedAverage = report.averagePrice;
    changed = true;
  }
  const over = order.reportedLots > order.lots && changed ? OVERFILL : 0;
  return settle(order, flags | over | (changed ? CHANGED : 0));
}

/** The last report closed the order wrongly, so its filled quantity is void too. */
export function reopen(order: OrderProgress, { status, filledLots: reported, averagePrice }: ReportFacts): number {
  // If the active list itself shows it closed, only trades count.
  const isOver = TERMINAL_RANK[status] > 0;
  order.terminal = 0;
  order.reportedLots = isOver ? order.fillLots : Math.max(reported, order.fillLots);
  order.reportedAverage = isOver ? null : averagePrice;
  return settle(order, 0);
}

export function applyFill(order: OrderProgress, fill: FillFacts): number {
  order.trades ??= new TradeIds();
  if (order.trades.has(fill.tradeId)) return 0;
  let flags = existence(order) | CHANGED;
  const isFirst = order.trades.size === 0;
  order.trades.set(fill.tradeId, fill.terms ?? '');
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

export function filledLots(order: OrderProgress): number {
  return order.reportedLots > order.fillLots ? order.reportedLots : order.fillLots;
}

export function isClosed(order: OrderProgress): boolean {
  return closedOrderStates.has(order.state);
}

/** Closed, and every reported quantity is booked as a fill. */
export function isSettled(order: OrderProgress): boolean {
  return isClosed(order) && order.fillLots >= order.reportedLots;
}

/**
 * Lots that may still enter the position. Open or unknown order: all unbooked ones; closed order: the reported unbooked
 * ones.
 */
export function reservedLots(order: OrderProgress): number {
  const upTo = isClosed(order) ? order.reportedLots : order.lots;
  return upTo > order.fillLots ? upTo - order.fillLots : 0;
}

/** Bytes may have left, and the outcome is unknown. */
export function isUnresolved(order: OrderProgress): boolean {
  return order.state === 'sending' || order.state === 'unknown';
}

/** Shows that it was sent, even if the SENDING row is lost. */
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

function derive(order: OrderProgress): HeldState {
  const filled = filledLots(order);
  if (order.lots > 0 && filled >= order.lots) return 'filled';
  if (order.terminal > 0) return TERMINAL_STATE[order.terminal] ?? 'canceled';
  switch (order.verdict) {
    case verdicts.exists:
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
