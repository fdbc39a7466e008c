/**
 * From when on payments of funding are asked for: what was read completely need not be read again, and what was not is
 * asked for until it was, however many other readings succeed meanwhile. Payments are booked once by their ids, so that
 * reading too much costs a request and nothing else. Used by the reconciler.
 */
import type { FundingPayment } from '../../model/account.ts';
import type { Reading } from '../../model/result.ts';
import type { ReconcilerPort } from './port.ts';

/** No push tells of them, and they fall due at times of the exchange's own: looked for so often. */
const INTERVAL_MS = 30_000;
/** The list may lag, and the clocks may differ. */
const OVERLAP_MS = 120_000;
/** The clock of the exchange may have been so far behind when it dated a payment (T06); they are few, and booked once. */
const MISDATED_MS = 3_720_000;
/** What an earlier process may have failed to read before it ended, where its journal does not say how far it had read. */
const EARLIER_MS = 600_000;

export class FundingWindow {
  /** Unix ms: everything before was read. Undefined before anything was planned. */
  #seenTo: number | undefined;
  /** Unix ms; undefined before anything was planned. */
  #bornAt: number | undefined;
  /** Unix ms of the last complete reading. */
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #port: Pick<ReconcilerPort, 'lastTs' | 'bornAt' | 'readTo'>;

  constructor(port: Pick<ReconcilerPort, 'lastTs' | 'bornAt' | 'readTo'>) {
    this.#port = port;
  }

  /** Unix ms; of a run that was planned. */
  get seenTo(): number {
    return this.#seenTo ?? 0;
  }

  /**
   * Unix ms; null: not now. `isFull`: everything is read in this run. `doubtMs`: how far the exchange's clock was from ours. What is
   * dated before anything of ours ran is nobody's here.
   */
  from(now: number, isFull: boolean, doubtMs = 0): number | null {
    // Known once the journal has been read, which is after this was made.
    const resumedFrom = this.#port.lastTs();
    this.#seenTo ??= this.#port.readTo()?.funding ?? (resumedFrom === 0 ? now : resumedFrom - EARLIER_MS);
    if (!isFull && now - this.#readAt < INTERVAL_MS) return null;
    this.#bornAt ??= this.#port.bornAt() === 0 ? now : this.#port.bornAt();
    const misdated = Math.max(this.#seenTo - MISDATED_MS, this.#bornAt - OVERLAP_MS - doubtMs);
    return Math.min(this.#seenTo - OVERLAP_MS, misdated);
  }

  read(reading: Reading<FundingPayment> | undefined): void {
    if (reading?.kind !== 'complete') return;
    this.#seenTo = reading.asOf;
    this.#readAt = reading.asOf;
  }
}
