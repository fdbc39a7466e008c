/**
 * The market of a symbol at a moment, and private frames that name an order, from a recording in one pass. Reads only.
 */
import { BookSync } from '../../model/book/book-sync.ts';
import { Instruments, type Instrument } from '../../model/market/instrument.ts';
import { Ladder } from '../../model/book/ladder.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import { messageOf } from '../../model/errors.ts';
import { createDecoder } from '../../recording/compile/decode.ts';
import { readFrames } from '../../recording/frames/frame-reader.ts';
import type { FrameRow } from '../../recording/frames/frame-row.ts';
import { hasManifest, readManifest, type Manifest } from '../../recording/frames/manifest.ts';
import { ReadReport } from '../../recording/frames/read-report.ts';

export interface Frame {
  /** Unix ms, receive time. */
  readonly receivedAt: number;
  readonly kind: FrameRow['kind'];
  readonly text: string;
}

export interface MarketThen {
  /** Null without a usable book. Decimal text. */
  readonly best: {
    readonly bid: string;
    readonly bidQuantity: string;
    readonly ask: string;
    readonly askQuantity: string;
  } | null;
  readonly lastTrade: { readonly price: string; readonly quantity: string; readonly receivedAt: number } | null;
  /** Last frames of the symbol, oldest first. */
  readonly frames: readonly Frame[];
  /** Age of the newest one at the moment; null without any. */
  readonly ageMs: number | null;
  /** Why data was missing. */
  readonly missing: string | null;
}

export interface RecordedThen {
  /** Null for a symbol not recorded. */
  readonly market: MarketThen | null;
  /** Private frames up to `untilMs` with one of the names, oldest first, bounded. */
  readonly ofOrder: readonly Frame[];
  /** What is missing or damaged, in sentences. */
  readonly problems: readonly string[];
}

export interface Question {
  readonly symbol: string;
  /** Unix ms, session clock. */
  readonly atMs: number;
  readonly untilMs: number;
  readonly names: readonly string[];
}

const FRAMES_SHOWN = 5;
const OWN_FRAMES_MAX = 200;

/** Never throws for missing or damaged recordings; see `problems`. */
export async function recordedThen(dir: string, question: Question): Promise<RecordedThen> {
  if (!hasManifest(dir)) return { market: null, ofOrder: [], problems: [`${dir} holds no recording`] };
  try {
    return await read(dir, readManifest(dir), question);
  } catch (thrown) {
    return { market: null, ofOrder: [], problems: [messageOf(thrown)] };
  }
}

async function read(dir: string, manifest: Manifest, question: Question): Promise<RecordedThen> {
  const instruments = new Instruments(manifest.instruments);
  const instrument = instruments.find(question.symbol);
  const watch = instrument === undefined ? null : new Watch(manifest, instruments, instrument);
  const report = new ReadReport();
  const ofOrder: Frame[] = [];
  const [atUs, untilUs] = [question.atMs * 1000, question.untilMs * 1000];
  for await (const { rows } of readFrames(dir, manifest, report)) {
    for (const row of rows) {
      if (row.receiveUs <= atUs) watch?.row(row);
      if (row.kind !== 'private' || row.receiveUs > untilUs || ofOrder.length >= OWN_FRAMES_MAX) continue;
      if (question.names.some((name) => row.text.includes(name))) ofOrder.push(frameOf(row));
    }
    if ((rows[0]?.receiveUs ?? 0) > untilUs) break;
  }
  const absent = watch === null ? [`the recording does not hold ${question.symbol}`] : [];
  return { market: watch?.market(question.atMs) ?? null, ofOrder, problems: [...absent, ...report.listed()] };
}

class Watch {
  readonly #instrument: Instrument;
  readonly #decoder: ReturnType<typeof createDecoder>;
  readonly #sync: BookSync;
  readonly #frames: FrameRow[] = [];
  #trade: MarketThen['lastTrade'] = null;
  #missing: string | null = null;
  #told = false;

  constructor(manifest: Manifest, instruments: Instruments, instrument: Instrument) {
    this.#instrument = instrument;
    this.#decoder = createDecoder(manifest, instruments);
    this.#sync = new BookSync(new Ladder(instrument), { rule: manifest.rules[instrument.symbol] ?? 'none' });
  }

  row(row: FrameRow): void {
    // Skips decoding of other symbols, for speed.
    if (row.kind !== 'note' && !row.text.includes(this.#instrument.symbol)) return;
    this.#told = false;
    this.#decoder.row(row, (event) => this.#event(event, row));
    if (!this.#told) return;
    this.#frames.push(row);
    if (this.#frames.length > FRAMES_SHOWN) this.#frames.shift();
  }

  market(atMs: number): MarketThen {
    const { book } = this.#sync;
    const isUsable = this.#sync.live && book.bidLots > 0 && book.askLots > 0;
    const instrument = this.#instrument;
    const last = this.#frames.at(-1);
    return {
      best: isUsable
        ? {
            bid: instrument.priceText(book.bidTicks),
            bidQuantity: instrument.quantityText(book.bidLots),
            ask: instrument.priceText(book.askTicks),
            askQuantity: instrument.quantityText(book.askLots),
          }
        : null,
      lastTrade: this.#trade,
      frames: this.#frames.map(frameOf),
      ageMs: last === undefined ? null : atMs - last.receiveUs / 1000,
      missing: this.#missing,
    };
  }

  #event(event: MarketEvent, row: FrameRow): void {
    if (event.instrument !== this.#instrument) return;
    if (row.kind !== 'note') this.#told = true;
    if (event.kind === 'depth') this.#sync.onDepth(event);
    else if (event.kind === 'quote' && this.#sync.live) this.#sync.book.applyQuote(event);
    else if (event.kind === 'trade') {
      const { priceText, quantityText } = textsOf(this.#instrument, event.ticks, event.lots);
      this.#trade = { price: priceText, quantity: quantityText, receivedAt: row.receiveUs / 1000 };
    } else if (event.kind === 'gap') {
      this.#missing = event.open ? event.reason : null;
      if (event.open) this.#sync.discard(event.reason);
    }
  }
}

function textsOf(instrument: Instrument, ticks: number, lots: number): { priceText: string; quantityText: string } {
  return { priceText: instrument.priceText(ticks), quantityText: instrument.quantityText(lots) };
}

function frameOf({ receiveUs, kind, text }: FrameRow): Frame {
  return { receivedAt: receiveUs / 1000, kind, text };
}
