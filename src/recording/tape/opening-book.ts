/** Books at the start of a period, replayed from the beginning. A broken book gives none; an open gap follows. */
import type { Instrument } from '../../model/market/instrument.ts';
import type { MarketEvent } from '../../model/market/market-event.ts';
import { FileCursor } from './cursors.ts';
import { KnownBook } from '../compile/known-book.ts';
import type { TapeFile } from './tape-file.ts';

export interface OpeningBook {
  readonly instrument: Instrument;
  /** Last earlier depth message; of two recordings the later counts. */
  readonly lastUs: number;
  readonly events: readonly MarketEvent[];
}

/** Symbols with earlier depth. */
export function openingBooks(
  file: TapeFile,
  instruments: readonly Instrument[],
  fromUs: number,
): readonly OpeningBook[] {
  const { manifest, withSnapshot, baseLatencyUs } = file.footer;
  const books = new Map<Instrument, KnownBook>();
  for (const instrument of instruments) {
    const rule = manifest.rules[instrument.symbol] ?? 'none';
    const start = withSnapshot.includes(instrument.symbol) ? 'snapshot' : 'updates';
    books.set(instrument, new KnownBook(instrument, { rule, start }));
  }
  const cursor = new FileCursor(file, instruments, 'exchange', { fromUs: -Infinity, toUs: fromUs }, 0);
  while (cursor.nextUs < fromUs) {
    const event = cursor.next();
    books.get(event.instrument)?.onEvent(event);
  }
  return [...books.values()]
    .filter(({ lastUs }) => lastUs > -Infinity)
    .map((book) => ({
      instrument: book.instrument,
      lastUs: book.lastUs,
      events: book.told(fromUs, fromUs + baseLatencyUs),
    }));
}

/** From the recording that knew it last. */
export function newestBooks(all: readonly (readonly OpeningBook[])[]): readonly (readonly MarketEvent[])[] {
  const newest = new Map<Instrument, OpeningBook>();
  for (const book of all.flat()) {
    const known = newest.get(book.instrument);
    if (known === undefined || book.lastUs >= known.lastUs) newest.set(book.instrument, book);
  }
  return all.map((books) =>
    books.filter((book) => newest.get(book.instrument) === book).flatMap(({ events }) => events),
  );
}
