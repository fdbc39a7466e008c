/** The book of one symbol, frame by frame: fed with blocks of a recording, in order. */
import { createChannelTable } from '../../exchange/interface/channels.ts';
import type { OrderBook } from '../../model/book/book.ts';
import { BookSync } from '../../model/book/book-sync.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { Ladder } from '../../model/book/ladder.ts';
import type { DepthEvent, MarketEvent } from '../../model/market/market-event.ts';
import { createDecoder, type FrameDecoder } from '../../recording/compile/decode.ts';
import type { FrameBlock } from '../../recording/frames/frame-reader.ts';
import { snapshotOf } from '../../recording/compile/known-book.ts';
import type { Manifest } from '../../recording/frames/manifest.ts';

/** A usable book after a change of it. */
export type Seen = (book: OrderBook, receivedMs: number) => void;

/** The book at a place of the recording. */
export interface KnownThen {
  readonly book: DepthEvent;
  readonly changedMs: number;
}

export class BookWalker {
  readonly #instrument: Instrument;
  readonly #decoder: FrameDecoder;
  readonly #sync: BookSync;
  /** Other frames say nothing of the book; empty: each may. */
  readonly #mark: string;
  #isChanged = false;
  /** Unix ms of the last row that it was fed. */
  lastMs = Number.NEGATIVE_INFINITY;
  /** Unix ms of the last change that left a usable book; NaN before the first. */
  changedMs = Number.NaN;

  /** `from`: where it begins. */
  constructor(manifest: Manifest, instruments: Instruments, instrument: Instrument, from: KnownThen | null = null) {
    const { symbol } = instrument;
    this.#instrument = instrument;
    this.#decoder = createDecoder(manifest, instruments);
    this.#sync = new BookSync(new Ladder(instrument), { rule: manifest.rules[symbol] ?? 'none' });
    // Snapshots of importers do not name their symbol.
    this.#mark = manifest.source === 'tidewire' ? createChannelTable().name('depth', symbol) : '';
    if (from === null) return;
    this.#sync.onDepth(from.book);
    this.changedMs = from.changedMs;
  }

  /** Empty while it is not in step. */
  get book(): OrderBook {
    return this.#sync.book;
  }

  get isUsable(): boolean {
    const { live, book } = this.#sync;
    return live && book.bidLots > 0 && book.askLots > 0;
  }

  /** Null while it is not whole. */
  known(): KnownThen | null {
    const { lastMs, changedMs } = this;
    if (!this.#sync.isWhole) return null;
    return { book: snapshotOf(this.#sync, lastMs * 1_000, lastMs * 1_000), changedMs };
  }

  /** False: a row was received after `untilMs`; it and those after it are left out. */
  block({ rows, lossBefore }: FrameBlock, untilMs: number, seen: Seen): boolean {
    if (lossBefore) this.#sync.doubt('frames of the recording are lost');
    for (const row of rows) {
      const receivedMs = row.receiveUs / 1_000;
      if (receivedMs > untilMs) return false;
      this.lastMs = receivedMs;
      if (row.kind !== 'note' && !row.text.includes(this.#mark)) continue;
      this.#isChanged = false;
      this.#decoder.row(row, this.#onEvent);
      if (!this.#isChanged || !this.isUsable) continue;
      this.changedMs = receivedMs;
      seen(this.book, receivedMs);
    }
    return true;
  }

  readonly #onEvent = (event: MarketEvent): void => {
    if (event.instrument !== this.#instrument) return;
    if (event.kind === 'depth') this.#sync.onDepth(event);
    else if (event.kind === 'quote' && this.#sync.live) this.#sync.book.applyQuote(event);
    else if (event.kind === 'gap' && event.open) this.#sync.discard(event.reason);
    else return;
    this.#isChanged = true;
  };
}
