/** Makes the columns of a market by an engine without orders, which sees every event of a pass in exchange order. */
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import type { SavedBook, TapeShift } from '../../model/book/saved-book.ts';
import { BookMatching } from '../matching/matching.ts';
import { riskAverse } from '../matching/queue.ts';
import type { MatchListener } from '../matching/working-order.ts';
import { bytes, doubles, integers, type GrowingColumn } from './growing-column.ts';
import {
  KIND_BUYS,
  KIND_DEPTH,
  KIND_NOTHING,
  KIND_OTHER,
  KIND_QUOTE,
  KIND_SELLS,
  type MarketColumns,
  type PassColumns,
} from './market-columns.ts';
import { TopsBuilder } from './tops-builder.ts';

const NOBODY: MatchListener = { filled: () => {}, expired: () => {}, covers: () => false };

export class ColumnsBuilder {
  readonly #instrument: Instrument;
  readonly #engine: BookMatching;
  readonly #us = doubles();
  readonly #levelTo = integers();
  readonly #trade = integers();
  readonly #tradeTicks = doubles();
  readonly #tradeLots = doubles();
  readonly #sides = bytes();
  readonly #ticks = doubles();
  readonly #lots = doubles();
  #kinds: GrowingColumn<Uint8Array> = bytes();
  #tops = new TopsBuilder();

  constructor(instrument: Instrument, sync: BookSyncOptions) {
    this.#instrument = instrument;
    const options = { sync, mode: 'default', exchange: 'partial-fill', queue: riskAverse, nettingUs: 0 } as const;
    this.#engine = new BookMatching(instrument, options, NOBODY);
  }

  /** A message of the first pass. */
  add(event: MarketEvent): void {
    this.#us.push(event.exchangeUs);
    this.#trade.push(this.#tradeTicks.length);
    if (event.kind === 'trade') {
      this.#tradeTicks.push(event.ticks);
      this.#tradeLots.push(event.lots);
    } else if (event.kind === 'depth' && !event.snapshot) {
      const { sides, ticks, lots, from, to } = event.levels;
      this.#sides.append(sides.subarray(from, to));
      this.#ticks.append(ticks.subarray(from, to));
      this.#lots.append(lots.subarray(from, to));
    }
    this.#levelTo.push(this.#ticks.length);
    this.addAgain(event);
  }

  /** The same message in a later pass. */
  addAgain(event: MarketEvent): void {
    this.#kinds.push(this.#kindOf(event));
    this.#tops.add(this.#engine.market.ladder);
  }

  /** Null where messages wait for a snapshot. */
  saved(shift: TapeShift): SavedBook | null {
    return this.#engine.market.saved(shift);
  }

  endPass(): PassColumns {
    const pass = { kinds: this.#kinds.values(), tops: this.#tops.build() };
    this.#kinds = bytes();
    this.#tops = new TopsBuilder();
    return pass;
  }

  build(): MarketColumns {
    return {
      instrument: this.#instrument,
      count: this.#us.length,
      us: this.#us.values(),
      levelTo: this.#levelTo.values(),
      trade: this.#trade.values(),
      tradeTicks: this.#tradeTicks.values(),
      tradeLots: this.#tradeLots.values(),
      sides: this.#sides.values(),
      ticks: this.#ticks.values(),
      lots: this.#lots.values(),
    };
  }

  #kindOf(event: MarketEvent): number {
    const effect = this.#engine.trace(event);
    if (effect === 'other') return KIND_OTHER;
    if (effect === 'moved') return event.kind === 'depth' ? KIND_DEPTH : KIND_QUOTE;
    return event.kind !== 'trade' ? KIND_NOTHING : event.takerBuys ? KIND_BUYS : KIND_SELLS;
  }
}
