/** Start of the next funding request: the last complete read. Payments are booked once, so overlap is harmless. */
import type { FundingPayment } from '../model/account.ts';
import type { Reading } from '../model/result.ts';
import type { ReconcilerPort } from './port.ts';

/** ms. */
const INTERVAL_MS = 30_000;
/** For list lag and clock skew, ms. */
const OVERLAP_MS = 120_000;
/** Possible lag of the exchange's clock, ms. */
const MISDATED_MS = 3_720_000;
/** What an earlier process without a mark may not have read, ms. */
const EARLIER_MS = 600_000;

export class FundingWindow {
  /** Unix ms up to which all was read. */
  #seenTo: number | undefined;
  /** Unix ms. */
  #bornAt: number | undefined;
  /** Unix ms of the last complete read. */
  #readAt = Number.NEGATIVE_INFINITY;
  readonly #port: Pick<ReconcilerPort, 'state'>;

  constructor(port: Pick<ReconcilerPort, 'state'>) {
    this.#port = port;
  }

  /** Unix ms. */
  get seenTo(): number {
    return this.#seenTo ?? 0;
  }

  /**
   * Unix ms; null: not now. `isFull`: read in any case. `doubtMs`: clock skew. Payments before the first run are
   * ignored.
   */
  from(now: number, isFull: boolean, doubtMs = 0): number | null {
    // Known only after the replay.
    const resumedFrom = this.#port.state.resumedFrom;
    this.#seenTo ??= this.#port.state.readTo?.funding ?? (resumedFrom === 0 ? now : resumedFrom - EARLIER_MS);
    if (!isFull && now - this.#readAt < INTERVAL_MS) return null;
    this.#bornAt ??= this.#port.state.bornAt === 0 ? now : this.#port.state.bornAt;
    const misdated = Math.max(this.#seenTo - MISDATED_MS, this.#bornAt - OVERLAP_MS - doubtMs);
    return Math.min(this.#seenTo - OVERLAP_MS, misdated);
  }

  read(reading: Reading<FundingPayment> | undefined): void {
    if (reading?.kind !== 'complete') return;
    this.#seenTo = reading.asOf;
    this.#readAt = reading.asOf;
  }
}
