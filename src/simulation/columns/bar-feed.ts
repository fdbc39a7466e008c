/**
 * Feeds the venue bars from columns. Without own orders a bar changes the mid alone: such bars are skipped, and their mids
 * published, in order, when somebody asks. All others are matched at their time, as without columns.
 */
import type { BarOpenEvent, CandleEvent } from '../../model/market/market-event.ts';
import type { ClockSource } from '../clock/virtual-clock.ts';
import { halfTicksOf, type CandleMatching } from '../matching/candle-matching.ts';
import type { Happening } from '../matching/working-order.ts';
import type { BarColumns } from './bar-columns.ts';
import type { ColumnVenue } from './column-feed.ts';
import type { SafeMids } from './safe-mids.ts';

/** Happenings looked through at once: money may have changed by then. */
const WINDOW = 128;
/** A bar's open and close, or a close and the next open: all that matching on bars remembers. */
const REMEMBERED = 2;

export class BarFeed implements ClockSource {
  nextUs = Infinity;
  readonly #columns: BarColumns;
  readonly #venue: ColumnVenue<CandleMatching>;
  readonly #opening: BarOpenEvent;
  readonly #closing: CandleEvent;
  /** First happening that was not passed. */
  #next = 0;
  /** First that is matched. */
  #stop = 0;

  constructor(columns: BarColumns, venue: ColumnVenue<CandleMatching>) {
    this.#columns = columns;
    this.#venue = venue;
    const { instrument, intervalMs, us } = columns;
    const base = { instrument, exchangeUs: 0, receiveUs: 0, intervalMs, openTime: 0 };
    const prices = { open: 0, high: 0, low: 0, close: 0, volume: 0 };
    this.#opening = { kind: 'bar-open', ...base, ...prices, closed: true };
    this.#closing = { kind: 'candle', ...base, ...prices, closed: true };
    while (this.#next < us.length && us[this.#next]! < venue.nowUs()) this.#next++;
    this.#seek();
  }

  run(): void {
    this.#passTo(this.#stop);
    this.#next = this.#stop + 1;
    this.#venue.onMarket(this.#eventAt(this.#stop));
    this.#seek();
  }

  /** Passes what has happened by now; before anybody reads the venue. */
  catchUp(): void {
    const nowUs = this.#venue.nowUs();
    const { us } = this.#columns;
    let to = this.#next;
    while (to < this.#stop && us[to]! <= nowUs) to++;
    this.#passTo(to);
  }

  /** Own orders or money have changed; after `catchUp`. */
  moved(): void {
    if (this.nextUs !== Infinity) this.#seek();
  }

  #passTo(to: number): void {
    const from = this.#next;
    if (to === from) return;
    const { us, halfTicks } = this.#columns;
    const { engine } = this.#venue;
    for (let at = from; at < to; at++) {
      const mid = halfTicks[at]!;
      if (mid === engine.midHalfTicks) continue;
      engine.midHalfTicks = mid;
      this.#venue.passed(us[at]!);
    }
    for (let at = Math.max(from, to - REMEMBERED); at < to; at++) engine.onMarket(this.#eventAt(at));
    this.#next = to;
  }

  #eventAt(at: number): Happening {
    const { us, openTime, open, high, low, close, volume, receiveUs } = this.#columns;
    const bar = at >>> 1;
    const isOpening = (at & 1) === 0;
    const event = isOpening ? this.#opening : this.#closing;
    event.exchangeUs = us[at]!;
    event.receiveUs = isOpening ? us[at]! : receiveUs[bar]!;
    event.openTime = openTime[bar]!;
    event.open = open[bar]!;
    event.high = high[bar]!;
    event.low = low[bar]!;
    event.close = close[bar]!;
    event.volume = volume[bar]!;
    return event;
  }

  /** Of a close, with all prices of its bar. */
  #isWithin({ from, to }: SafeMids, at: number): boolean {
    const { halfTicks, low, high, instrument } = this.#columns;
    if ((at & 1) === 0) return halfTicks[at]! >= from && halfTicks[at]! <= to;
    const bar = at >>> 1;
    return halfTicksOf(instrument, low[bar]!) >= from && halfTicksOf(instrument, high[bar]!) <= to;
  }

  /** The last one is always matched. One too many does no harm. */
  #seek(): void {
    const { us } = this.#columns;
    const last = Math.min(this.#next + WINDOW, us.length - 1);
    let at = this.#next;
    if (this.#venue.isQuiet()) {
      const safe = this.#venue.safeMids();
      const untilUs = this.#venue.fundsFromUs();
      const isAnySafe = safe.from === -Infinity;
      while (at < last && us[at]! < untilUs && (isAnySafe || this.#isWithin(safe, at))) at++;
    }
    this.#stop = at;
    this.nextUs = us[at] ?? Infinity;
  }
}
