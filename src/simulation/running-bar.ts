/**
 * A bar while own orders may trade in it: what volume is left for them, and which decisions were made without knowing its
 * open. Used by `candle-matching.ts`.
 */
import type { BarOpenEvent, CandleEvent } from '../model/market-event.ts';
import { US_PER_MS } from '../model/time.ts';

/** A decision this soon after an open was made at the close before: of bars of a minute and more, and in proportion of others. */
const GRACE_US_MAX = 1_000_000;
const GRACE_SHARE = 1 / 60;

export function closeUsOf({ openTime, intervalMs }: CandleEvent | BarOpenEvent): number {
  return (openTime + intervalMs) * US_PER_MS;
}

export class RunningBar {
  openUs = Infinity;
  closeUs = Infinity;
  open = Number.NaN;
  /** The orders that stood when it opened have traded at its open, or have let it pass. */
  isOpenTraded = false;
  /** What is left of its volume for own orders. */
  lots = 0;
  /** When the last close before it was received: no decision until then knew the open. */
  #heardUs = -Infinity;
  /** Nor later ones until then, unless an own fill told it. */
  #graceUs = Infinity;
  /** The first own fill tells it. */
  #toldUs = Infinity;

  /** Another bar from here on; one that has ended may be begun again. */
  begin(bar: CandleEvent | BarOpenEvent, lots: number, heardUs: number): void {
    const { openTime, intervalMs, open } = bar;
    this.openUs = openTime * US_PER_MS;
    this.closeUs = closeUsOf(bar);
    this.open = open;
    this.isOpenTraded = false;
    this.lots = lots;
    this.#toldUs = Infinity;
    this.#heardUs = heardUs;
    this.#graceUs = this.openUs + Math.min(GRACE_US_MAX, intervalMs * US_PER_MS * GRACE_SHARE);
  }

  /** Until then a decision may count as made at the close before. */
  get decidedUs(): number {
    return Math.max(this.#graceUs, this.#heardUs);
  }

  /** Whether an order trades in this bar, and not from the next one on; or a cancel comes before its open. */
  admits(arrivedUs: number, decidedUs: number): boolean {
    return arrivedUs <= this.openUs || decidedUs <= this.#heardUs || decidedUs <= Math.min(this.#graceUs, this.#toldUs);
  }

  trade(lots: number, us: number): void {
    this.lots -= lots;
    this.#toldUs = Math.min(this.#toldUs, us);
  }
}
