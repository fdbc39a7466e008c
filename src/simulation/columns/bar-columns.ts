/**
 * One symbol's bars as columns, where each opens and closes before the next opens: a function of the tape alone.
 *
 *   happening   2i: bar i opens   2i + 1: bar i closes
 */
import type { Instrument } from '../../model/market/instrument.ts';
import type { BarOpenEvent, CandleEvent, MarketEvent } from '../../model/market/market-event.ts';
import { halfTicksOf } from '../matching/candle-matching.ts';
import { closeUsOf } from '../matching/running-bar.ts';

/** By bar, except where said otherwise. */
export interface BarColumns {
  readonly kind: 'bars';
  readonly instrument: Instrument;
  readonly intervalMs: number;
  /** By happening: exchange time. `-Infinity`: the first bar opened before the data. The last bar may only open. */
  readonly us: Float64Array;
  /** By happening: the mid after it. */
  readonly halfTicks: Float64Array;
  /** Unix ms. */
  readonly openTime: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
  /** Of its close, µs. */
  readonly receiveUs: Float64Array;
}

interface Cursor<Event> {
  readonly nextUs: number;
  next(): Event;
}

/** Null where bars do not follow each other so. Both cursors: of one symbol, in exchange order, of `closed` bars. */
export function barColumns(
  instrument: Instrument,
  closed: number,
  closes: Cursor<MarketEvent>,
  openings: Cursor<BarOpenEvent>,
): BarColumns | null {
  const builder = new BarColumnsBuilder(instrument, closed + 1);
  const following = (): BarOpenEvent | null => (openings.nextUs === Infinity ? null : openings.next());
  let opening = following();
  while (closes.nextUs !== Infinity) {
    const bar = closes.next();
    if (bar.kind !== 'candle' || !bar.closed) return null;
    if (opening?.openTime === bar.openTime) {
      if (!builder.opens(opening, opening.exchangeUs)) return null;
      opening = following();
    } else if (!builder.isEmpty || !builder.opens(bar, -Infinity)) return null;
    if (!builder.closes(bar)) return null;
  }
  if (opening !== null && (!builder.opens(opening, opening.exchangeUs) || openings.nextUs !== Infinity)) return null;
  return builder.build();
}

class BarColumnsBuilder {
  readonly #instrument: Instrument;
  readonly #us: Float64Array;
  readonly #halfTicks: Float64Array;
  readonly #openTime: Float64Array;
  readonly #open: Float64Array;
  readonly #high: Float64Array;
  readonly #low: Float64Array;
  readonly #close: Float64Array;
  readonly #volume: Float64Array;
  readonly #receiveUs: Float64Array;
  #intervalMs = 0;
  /** Of happenings. */
  #count = 0;
  #last = { us: -Infinity, openTime: -Infinity, receiveUs: -Infinity };

  constructor(instrument: Instrument, barsMax: number) {
    const ofBars = (): Float64Array => new Float64Array(barsMax);
    this.#instrument = instrument;
    this.#us = new Float64Array(2 * barsMax);
    this.#halfTicks = new Float64Array(2 * barsMax);
    this.#openTime = ofBars();
    this.#open = ofBars();
    this.#high = ofBars();
    this.#low = ofBars();
    this.#close = ofBars();
    this.#volume = ofBars();
    this.#receiveUs = ofBars();
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** False: it does not follow. */
  opens(bar: CandleEvent | BarOpenEvent, us: number): boolean {
    const { openTime, intervalMs, open, high, low, close, volume } = bar;
    if (this.isEmpty) this.#intervalMs = intervalMs;
    if (intervalMs !== this.#intervalMs || openTime <= this.#last.openTime || us < this.#last.us) return false;
    this.#last.openTime = openTime;
    const at = this.#count >>> 1;
    this.#openTime[at] = openTime;
    this.#open[at] = open;
    this.#high[at] = high;
    this.#low[at] = low;
    this.#close[at] = close;
    this.#volume[at] = volume;
    this.#happens(us, open);
    return true;
  }

  /** Of the bar that opened last. False: it does not follow. */
  closes(bar: CandleEvent): boolean {
    const { exchangeUs, receiveUs } = bar;
    if (exchangeUs < Math.max(this.#last.us, closeUsOf(bar)) || receiveUs < this.#last.receiveUs) return false;
    this.#last.receiveUs = receiveUs;
    this.#receiveUs[this.#count >>> 1] = receiveUs;
    this.#happens(exchangeUs, bar.close);
    return true;
  }

  build(): BarColumns {
    return {
      kind: 'bars',
      instrument: this.#instrument,
      intervalMs: this.#intervalMs,
      us: this.#us.subarray(0, this.#count),
      halfTicks: this.#halfTicks,
      openTime: this.#openTime,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      volume: this.#volume,
      receiveUs: this.#receiveUs,
    };
  }

  #happens(us: number, price: number): void {
    this.#last.us = us;
    this.#us[this.#count] = us;
    this.#halfTicks[this.#count++] = halfTicksOf(this.#instrument, price);
  }
}
