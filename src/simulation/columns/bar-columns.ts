/**
 * One symbol's bars as columns, where each opens and closes before the next opens: a function of the tape alone.
 *
 *   happening   2i: bar i opens   2i + 1: bar i closes
 */
import type { Instrument } from '../../model/market/instrument.ts';
import type { BarOpenEvent, CandleEvent, MarketEvent } from '../../model/market/market-event.ts';
import { halfTicksOf } from '../matching/candle-matching.ts';
import { closeUsOf } from '../matching/running-bar.ts';
import { doubles } from './growing-column.ts';

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

/** Null where bars do not follow each other so. Both cursors: of one symbol, in exchange order. */
export function barColumns(
  instrument: Instrument,
  closes: Cursor<MarketEvent>,
  openings: Cursor<BarOpenEvent>,
): BarColumns | null {
  const builder = new BarColumnsBuilder(instrument);
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
  readonly #us = doubles();
  readonly #halfTicks = doubles();
  readonly #openTime = doubles();
  readonly #open = doubles();
  readonly #high = doubles();
  readonly #low = doubles();
  readonly #close = doubles();
  readonly #volume = doubles();
  readonly #receiveUs = doubles();
  #intervalMs = 0;
  #last = { us: -Infinity, openTime: -Infinity, receiveUs: -Infinity };

  constructor(instrument: Instrument) {
    this.#instrument = instrument;
  }

  get isEmpty(): boolean {
    return this.#us.length === 0;
  }

  /** False: it does not follow. */
  opens(bar: CandleEvent | BarOpenEvent, us: number): boolean {
    const { openTime, intervalMs, open, high, low, close, volume } = bar;
    if (this.isEmpty) this.#intervalMs = intervalMs;
    if (intervalMs !== this.#intervalMs || openTime <= this.#last.openTime || us < this.#last.us) return false;
    this.#last.openTime = openTime;
    this.#openTime.push(openTime);
    this.#open.push(open);
    this.#high.push(high);
    this.#low.push(low);
    this.#close.push(close);
    this.#volume.push(volume);
    this.#happens(us, open);
    return true;
  }

  /** Of the bar that opened last. False: it does not follow. */
  closes(bar: CandleEvent): boolean {
    const { exchangeUs, receiveUs } = bar;
    if (exchangeUs < Math.max(this.#last.us, closeUsOf(bar)) || receiveUs < this.#last.receiveUs) return false;
    this.#last.receiveUs = receiveUs;
    this.#receiveUs.push(receiveUs);
    this.#happens(exchangeUs, bar.close);
    return true;
  }

  build(): BarColumns {
    return {
      kind: 'bars',
      instrument: this.#instrument,
      intervalMs: this.#intervalMs,
      us: this.#us.values(),
      halfTicks: this.#halfTicks.values(),
      openTime: this.#openTime.values(),
      open: this.#open.values(),
      high: this.#high.values(),
      low: this.#low.values(),
      close: this.#close.values(),
      volume: this.#volume.values(),
      receiveUs: this.#receiveUs.values(),
    };
  }

  #happens(us: number, price: number): void {
    this.#last.us = us;
    this.#us.push(us);
    this.#halfTicks.push(halfTicksOf(this.#instrument, price));
  }
}
