/**
 * What the simulated exchange does to perpetuals by itself (rule A3): settles funding and liquidates. Collects what there is
 * to tell until `exchange.ts`, which owns orders and ids, takes it.
 */
import type { FundingPayment } from '../model/account.ts';
import type { VenueFill } from '../model/fill.ts';
import { dec, decimalText } from '../model/money.ts';
import type { OrderReport } from '../model/order.ts';
import type { VenueEvent } from '../model/venue.ts';
import { closeForced } from './forced-close.ts';
import type { DueLiquidation, MarginPool } from './margin-pool.ts';
import type { VenueObserver } from './observer.ts';
import { msOfUs, type OrderRecord } from './order-record.ts';
import type { OrderStore } from './order-store.ts';
import type { SymbolVenue } from './symbol-venue.ts';

export interface PerpetualMovesDeps {
  readonly pool: MarginPool;
  readonly store: OrderStore;
  readonly observer: VenueObserver | undefined;
  readonly cancel: (record: OrderRecord, us: number, reason: string) => void;
  readonly nextOrderId: () => string;
  readonly nextTradeId: () => string;
  /** The fill's money and position have moved. */
  readonly filled: (fill: VenueFill) => void;
}

interface MovesTaken {
  readonly before: readonly VenueEvent[];
  readonly after: readonly VenueEvent[];
}

const NOTHING: MovesTaken = Object.freeze({ before: [], after: [] });

export class PerpetualMoves {
  readonly #deps: PerpetualMovesDeps;
  readonly #reports: OrderReport[] = [];
  readonly #payments: FundingPayment[] = [];

  constructor(deps: PerpetualMovesDeps) {
    this.#deps = deps;
  }

  /** Settles all funding that is due; false when nothing moved. */
  fund(venue: SymbolVenue, us: number): boolean {
    const { symbol } = venue.instrument;
    let settled = 0;
    for (let rate = venue.fundingDue(us); rate !== null; rate = venue.fundingDue(us)) {
      // Those that waited for a mark are settled at the same moment.
      const id = settled === 0 ? `sim-f-${symbol}-${us}` : `sim-f-${symbol}-${us}-${settled + 1}`;
      if (this.#settle(venue, rate, us, id)) settled++;
    }
    return settled > 0;
  }

  #settle({ perpetual, instrument, mark }: SymbolVenue, rate: string, us: number, id: string): boolean {
    if (perpetual === null || mark === null) return false;
    const received = perpetual.fund(dec(rate), mark, us);
    if (received.isZero()) return false;
    const { symbol, settle: currency } = instrument;
    const amount = decimalText(received);
    this.#payments.push({ id, symbol, currency, amount, ts: msOfUs(us) });
    this.#deps.observer?.funded(instrument, amount, us);
    return true;
  }

  /** Until nothing is due any more: what is closed cannot be due again, so this ends. */
  liquidate(us: number): void {
    const { pool } = this.#deps;
    pool.makeUp();
    const first = pool.due();
    if (first !== null) this.#close(first, us);
  }

  #close(first: DueLiquidation, us: number): void {
    const { pool, store, cancel, nextOrderId, nextTradeId } = this.#deps;
    for (let due: DueLiquidation | null = first; due !== null; due = pool.due()) {
      closeForced(due, us, {
        liquidationFee: pool.liquidationFee,
        openOrders: () => store.openOrders(),
        cancel: (record, reason) => cancel(record, us, reason),
        orderId: nextOrderId,
        tradeId: nextTradeId,
        closed: (report, fill, reason) => this.#closed(report, fill, reason),
      });
    }
  }

  /** Orders of the exchange's own, to be told before their fills, and payments. */
  take(): MovesTaken {
    if (this.#reports.length === 0 && this.#payments.length === 0) return NOTHING;
    const before = this.#reports.map((order) => ({ kind: 'order', order }) as const);
    const after = this.#payments.map((payment) => ({ kind: 'funding', payment }) as const);
    this.#reports.length = 0;
    this.#payments.length = 0;
    return { before, after };
  }

  #closed(report: OrderReport, fill: VenueFill, reason: string): void {
    const { store, observer, filled } = this.#deps;
    store.addClosed(report);
    store.addFill(fill);
    this.#reports.push(report);
    filled(fill);
    observer?.filled(fill, null);
    observer?.liquidated(fill, reason);
  }
}
