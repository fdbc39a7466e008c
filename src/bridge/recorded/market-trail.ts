/**
 * The market of one symbol of a recording, read once and kept for later questions:
 *
 *   blocks ─▶ walker ─┬─▶ books at places of the recording: a moment is reached from the nearest one before it
 *                     ├─▶ bars of a second and of a minute
 *                     └─▶ listeners: columns of the heat
 *
 * A growing recording is read further from the end of the last read. Reads files only.
 */
import { Instruments, type Instrument } from '../../model/market/instrument.ts';
import { readFrames, type FrameBlock, type FramePlace } from '../../recording/frames/frame-reader.ts';
import { readManifest, type Manifest } from '../../recording/frames/manifest.ts';
import { ReadReport } from '../../recording/frames/read-report.ts';
import { BookWalker, type KnownThen, type Seen } from './book-walker.ts';
import { MidBars } from './mid-bars.ts';

/** A book, and where the recording continues after it. */
interface Mark extends KnownThen {
  readonly ms: number;
  readonly place: FramePlace;
}

/** Between two marks at first; doubled when there are too many. */
const MARK_MS = 10_000;
const MARKS_MAX = 512;

export class MarketTrail {
  readonly bars = new MidBars();
  readonly instrument: Instrument;
  readonly #dir: string;
  readonly #instruments: Instruments;
  readonly #listeners = new Set<Seen>();
  readonly #walker: BookWalker;
  #manifest: Manifest;
  #marks: Mark[] = [];
  #markMs = MARK_MS;
  #place: FramePlace | null = null;
  #reading: Promise<void> = Promise.resolve();

  private constructor(dir: string, manifest: Manifest, instruments: Instruments, instrument: Instrument) {
    this.#dir = dir;
    this.#manifest = manifest;
    this.#instruments = instruments;
    this.instrument = instrument;
    this.#walker = new BookWalker(manifest, instruments, instrument);
  }

  /** Null for a symbol that is not recorded. Throws for a manifest that cannot be read. */
  static open(dir: string, symbol: string): MarketTrail | null {
    const manifest = readManifest(dir);
    const instruments = new Instruments(manifest.instruments);
    const instrument = instruments.find(symbol);
    return instrument === undefined ? null : new MarketTrail(dir, manifest, instruments, instrument);
  }

  /** Unix ms of the last row that was read. */
  get lastMs(): number {
    return this.#walker.lastMs;
  }

  /** Calls for each usable book that is read from here on. */
  listen(seen: Seen): void {
    this.#listeners.add(seen);
  }

  forget(seen: Seen): void {
    this.#listeners.delete(seen);
  }

  /** Reads new blocks up to a moment, one read at a time. */
  readTo(untilMs: number): Promise<void> {
    const next = this.#reading.then(() => (this.lastMs >= untilMs ? undefined : this.#read(untilMs)));
    this.#reading = next.catch(() => {});
    return next;
  }

  /** Each usable book of a span that was read, from the last mark before it on. Answers how the book stands at its end. */
  async walk(fromMs: number, untilMs: number, seen: Seen = () => {}): Promise<BookWalker> {
    const mark = this.#marks.findLast(({ ms }) => ms <= fromMs) ?? null;
    const walker = new BookWalker(this.#manifest, this.#instruments, this.instrument, mark);
    for await (const block of this.#blocks(mark?.place ?? null)) if (!walker.block(block, untilMs, seen)) break;
    return walker;
  }

  async #read(untilMs: number): Promise<void> {
    // A session that continues adds segments.
    this.#manifest = readManifest(this.#dir);
    for await (const block of this.#blocks(this.#place)) {
      this.#mark(block.place);
      this.#walker.block(block, Number.POSITIVE_INFINITY, this.#seen);
      this.#place = block.next;
      if (this.lastMs >= untilMs) return;
    }
  }

  #blocks(from: FramePlace | null): AsyncGenerator<FrameBlock> {
    return readFrames(this.#dir, this.#manifest, new ReadReport(), from);
  }

  readonly #seen: Seen = (book, receivedMs) => {
    this.bars.add((book.bidTicks + book.askTicks) / 2, receivedMs);
    for (const seen of this.#listeners) seen(book, receivedMs);
  };

  #mark(place: FramePlace): void {
    const { lastMs } = this;
    if (!(lastMs - (this.#marks.at(-1)?.ms ?? Number.NEGATIVE_INFINITY) >= this.#markMs)) return;
    const known = this.#walker.known();
    if (known === null) return;
    this.#marks.push({ ms: lastMs, place, ...known });
    if (this.#marks.length <= MARKS_MAX) return;
    this.#marks = this.#marks.filter((_, index) => index % 2 === 0);
    this.#markMs *= 2;
  }
}
