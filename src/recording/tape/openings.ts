/**
 * Bars at their open, for the simulated venue, after the predecessor's delivery. A symbol's shortest interval counts.
 */
import type { Instrument } from '../../model/market/instrument.ts';
import type { BarOpenEvent, CandleEvent, MarketEvent } from '../../model/market/market-event.ts';
import { US_PER_MS } from '../../model/time.ts';
import type { BarSeries } from '../compile/bar-order.ts';
import { atEnd, type Period } from './cursors.ts';
import type { OpeningCursor, TapeCursor } from './tape.ts';

/** In ms, by symbol. */
export function shortestIntervals(all: readonly BarSeries[]): ReadonlyMap<string, number> {
  const shortest = new Map<string, number>();
  for (const { symbol, intervalMs } of all) {
    shortest.set(symbol, Math.min(intervalMs, shortest.get(symbol) ?? Infinity));
  }
  return shortest;
}

/** Of opens in `period`. */
export function closesOf({ fromUs, toUs }: Period, intervalMs: number): Period {
  return { fromUs, toUs: toUs + intervalMs * US_PER_MS };
}

interface OpeningSymbol {
  /** The symbol's shortest interval. */
  readonly isWanted: boolean;
  /** When its last bar was delivered, µs. */
  toldUs: number;
}

/** In order of open. */
export class IntervalOpenings implements OpeningCursor {
  nextUs = Infinity;
  nextSequence = Infinity;
  readonly #closes: TapeCursor;
  readonly #intervalMs: number;
  readonly #intervals: ReadonlyMap<string, number>;
  readonly #period: Period;
  readonly #symbols = new Map<string, OpeningSymbol>();
  #coming: BarOpenEvent | null = null;
  /** Two are reused in turn. */
  #spare: BarOpenEvent | null = null;

  /** `closes`: exchange order. `period`: of opens. */
  constructor(closes: TapeCursor, intervalMs: number, intervals: ReadonlyMap<string, number>, period: Period) {
    this.#closes = closes;
    this.#intervalMs = intervalMs;
    this.#intervals = intervals;
    this.#period = period;
    this.#advance();
  }

  next(): BarOpenEvent {
    const given = this.#coming ?? atEnd();
    this.#advance();
    this.#spare = given;
    return given;
  }

  #advance(): void {
    this.#coming = null;
    this.nextUs = Infinity;
    this.nextSequence = Infinity;
    while (this.#coming === null && this.#closes.nextUs !== Infinity) {
      const sequence = this.#closes.nextSequence;
      const opening = this.#openingOf(this.#closes.next());
      if (opening === null) continue;
      this.#coming = opening;
      this.nextUs = opening.exchangeUs;
      this.nextSequence = sequence;
    }
  }

  #openingOf(event: MarketEvent): BarOpenEvent | null {
    if (event.kind !== 'candle' || !event.closed || event.intervalMs !== this.#intervalMs) return null;
    const ofSymbol = this.#symbolOf(event.instrument);
    if (!ofSymbol.isWanted) return null;
    const openUs = event.openTime * US_PER_MS;
    const us = Math.max(openUs, ofSymbol.toldUs);
    ofSymbol.toldUs = event.exchangeUs;
    if (openUs < this.#period.fromUs || openUs >= this.#period.toUs) return null;
    const opening: BarOpenEvent = this.#spare ?? { ...event, kind: 'bar-open' };
    copyBar(event, opening);
    opening.exchangeUs = us;
    opening.receiveUs = us;
    return opening;
  }

  #symbolOf({ symbol }: Instrument): OpeningSymbol {
    let known = this.#symbols.get(symbol);
    if (known === undefined) {
      known = { isWanted: this.#intervals.get(symbol) === this.#intervalMs, toldUs: -Infinity };
      this.#symbols.set(symbol, known);
    }
    return known;
  }
}

function copyBar(from: CandleEvent, to: BarOpenEvent): void {
  to.instrument = from.instrument;
  to.intervalMs = from.intervalMs;
  to.openTime = from.openTime;
  to.open = from.open;
  to.high = from.high;
  to.low = from.low;
  to.close = from.close;
  to.volume = from.volume;
  to.closed = from.closed;
}
