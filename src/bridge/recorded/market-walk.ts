/** The book of one symbol through a recording, frame by frame. Reads files only. */
import type { OrderBook } from '../../model/book.ts';
import { BookSync } from '../../model/book-sync.ts';
import { Instruments, type Instrument } from '../../model/instrument.ts';
import { Ladder } from '../../model/ladder.ts';
import type { MarketEvent } from '../../model/market-event.ts';
import { createDecoder } from '../../recording/decode.ts';
import { readFrames } from '../../recording/frame-reader.ts';
import { hasManifest, readManifest } from '../../recording/manifest.ts';
import { ReadReport } from '../../recording/read-report.ts';

/** A usable book after a change of it. */
export type Seen = (book: OrderBook, receivedMs: number) => void;

/** Answers the instrument; null where nothing of it is recorded. Throws for a manifest that cannot be read. */
export async function walkMarket(dir: string, symbol: string, untilMs: number, seen: Seen): Promise<Instrument | null> {
  if (!hasManifest(dir)) return null;
  const manifest = readManifest(dir);
  const instruments = new Instruments(manifest.instruments);
  const instrument = instruments.find(symbol);
  if (instrument === undefined) return null;
  const decoder = createDecoder(manifest, instruments);
  const sync = new BookSync(new Ladder(instrument), { rule: manifest.rules[symbol] ?? 'none' });
  let isChanged = false;
  const onEvent = (event: MarketEvent): void => {
    if (event.instrument !== instrument) return;
    if (event.kind === 'depth') sync.onDepth(event);
    else if (event.kind === 'quote' && sync.live) sync.book.applyQuote(event);
    else if (event.kind === 'gap' && event.open) sync.discard(event.reason);
    else return;
    isChanged = true;
  };
  for await (const { rows } of readFrames(dir, manifest, new ReadReport())) {
    for (const row of rows) {
      const receivedMs = row.receiveUs / 1_000;
      if (receivedMs > untilMs) return instrument;
      // Other symbols need no decoding.
      if (row.kind !== 'note' && !row.text.includes(symbol)) continue;
      isChanged = false;
      decoder.row(row, onEvent);
      const { book } = sync;
      if (isChanged && sync.live && book.bidLots > 0 && book.askLots > 0) seen(book, receivedMs);
    }
  }
  return instrument;
}
