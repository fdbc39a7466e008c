/**
 * Own orders and fills for queries: all open orders, the latest `historyMax` closed orders and fills. A query beyond
 * them answers `partial`.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import { NumberedIndex } from '../../model/numbered-index.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Reading } from '../../model/result.ts';
import type { HistoryRequest } from '../../model/venue.ts';
import { isClosed, reportOf, type OrderRecord } from './order-record.ts';

const HISTORY_MAX = 100_000;

const NOTHING: readonly never[] = Object.freeze([]);

interface Kept<T> {
  readonly items: T[];
  /** Unix ms of the newest dropped item. */
  lostUntil: number;
}

export class OrderStore {
  readonly #historyMax: number;
  readonly #open = new Set<OrderRecord>();
  readonly #openById = new NumberedIndex<OrderRecord>();
  /** Open and closed. */
  readonly #clientIds = new NumberedIndex<true>();
  readonly #closed: Kept<OrderReport> = { items: [], lostUntil: Number.NEGATIVE_INFINITY };
  readonly #fills: Kept<VenueFill> = { items: [], lostUntil: Number.NEGATIVE_INFINITY };

  /** At least 2. */
  constructor(historyMax = HISTORY_MAX) {
    this.#historyMax = historyMax;
  }

  add(record: OrderRecord): void {
    this.#open.add(record);
    this.#openById.set(record.orderId, record);
    this.#clientIds.set(record.request.clientOrderId, true);
  }

  open(orderId: string): OrderRecord | undefined {
    return this.#openById.get(orderId);
  }

  openOrders(): IterableIterator<OrderRecord> {
    return this.#open.values();
  }

  knowsClientId(clientOrderId: string): boolean {
    return this.#clientIds.has(clientOrderId);
  }

  close(record: OrderRecord): void {
    this.#open.delete(record);
    this.#openById.delete(record.orderId);
    this.#keepClosed(reportOf(record));
  }

  /** For an order that was never open here. */
  addClosed(report: OrderReport): void {
    if (report.clientOrderId !== undefined) this.#clientIds.set(report.clientOrderId, true);
    this.#keepClosed(report);
  }

  #keepClosed(report: OrderReport): void {
    for (const { clientOrderId } of this.#keep(this.#closed, report))
      if (clientOrderId !== undefined) this.#clientIds.delete(clientOrderId);
  }

  addFill(fill: VenueFill): void {
    this.#keep(this.#fills, fill);
  }

  active(asOf: number): Reading<OrderReport> {
    return { kind: 'complete', asOf, items: [...this.#open.values()].map(reportOf) };
  }

  history(request: HistoryRequest, asOf: number): Reading<OrderReport> {
    const closed = this.#closed.items.filter(
      (order) => isClosed(order.status) && matches(order, order.createdAt, request),
    );
    return reading(closed, this.#closed.lostUntil, request, asOf);
  }

  trades(request: HistoryRequest, asOf: number): Reading<VenueFill> {
    const fills = this.#fills.items.filter((fill) => matches(fill, fill.ts, request));
    return reading(fills, this.#fills.lostUntil, request, asOf);
  }

  /** Returns the oldest half when full. */
  #keep<T extends { readonly createdAt?: number; readonly ts?: number }>(kept: Kept<T>, item: T): readonly T[] {
    kept.items.push(item);
    if (kept.items.length <= this.#historyMax) return NOTHING;
    const lost = kept.items.splice(0, this.#historyMax >> 1);
    for (const { createdAt, ts } of lost) kept.lostUntil = Math.max(kept.lostUntil, createdAt ?? ts ?? 0);
    return lost;
  }
}

function matches(
  item: { readonly symbol: string; readonly market: string },
  ms: number,
  request: HistoryRequest,
): boolean {
  if (item.market !== request.market) return false;
  if (request.symbol !== undefined && item.symbol !== request.symbol) return false;
  return ms >= request.from && (request.to === undefined || ms <= request.to);
}

/** Newest first, as the exchange lists. */
function reading<T>(items: T[], lostUntil: number, request: HistoryRequest, asOf: number): Reading<T> {
  items.reverse();
  if (lostUntil < request.from) return { kind: 'complete', asOf, items };
  return { kind: 'partial', asOf, items, reason: `history before ${lostUntil + 1} is no longer kept` };
}
