/** A bar while own orders may trade in it, and which decisions did not know its open. */
import type { BarOpenEvent, CandleEvent, MarketEvent } from '../../model/market/market-event.ts';
import { US_PER_MS } from '../../model/time.ts';

/** Decisions this soon after an open count as made at the previous close. */
const GRACE_US_MAX = 1_000_000;
const GRACE_SHARE = 1 / 60;

export function closeUsOf({ openTime, intervalMs }: CandleEvent | BarOpenEvent): number {
  return (openTime + intervalMs) * US_PER_MS;
}

export class RunningBar {
  openUs = Infinity;
  closeUs = Infinity;
  open = Number.NaN;
  isOpenTraded = false;
  lots = 0;
  /** Decisions until the receipt of the previous close did not know the open. */
  #heardUs = -Infinity;
  /** Nor later ones until then, unless an own fill revealed it. */
  #graceUs = Infinity;
  /** First own fill. */
  #toldUs = Infinity;
  /** First receipt of what has happened since the open, other than a close. */
  #newsUs = Infinity;

  begin(bar: CandleEvent | BarOpenEvent, lots: number, heardUs: number): void {
    const { openTime, intervalMs, open } = bar;
    this.openUs = openTime * US_PER_MS;
    this.closeUs = closeUsOf(bar);
    this.open = open;
    this.isOpenTraded = false;
    this.lots = lots;
    this.#toldUs = Infinity;
    this.#newsUs = Infinity;
    this.#heardUs = heardUs;
    this.#graceUs = this.openUs + Math.min(GRACE_US_MAX, intervalMs * US_PER_MS * GRACE_SHARE);
  }

  /** Until then a decision may count as made at the previous close. */
  get decidedUs(): number {
    return Math.max(this.#graceUs, this.#heardUs);
  }

  /** Whether an order trades in this bar, or a cancel precedes its open. */
  admits(arrivedUs: number, decidedUs: number): boolean {
    if (arrivedUs <= this.openUs || decidedUs === this.#heardUs) return true;
    const knewNothing = decidedUs <= this.#heardUs || decidedUs <= Math.min(this.#graceUs, this.#toldUs);
    return knewNothing && decidedUs < this.#newsUs;
  }

  /** A tick, of any symbol. */
  heard({ exchangeUs, receiveUs }: Pick<MarketEvent, 'exchangeUs' | 'receiveUs'>): void {
    if (exchangeUs > this.openUs) this.#newsUs = Math.min(this.#newsUs, receiveUs);
  }

  trade(lots: number, us: number): void {
    this.lots -= lots;
    this.#toldUs = Math.min(this.#toldUs, us);
  }
}
