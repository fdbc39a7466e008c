/** The newest book of each symbol, and how much stood where a moment ago: the heat behind the prices. */
import { signal } from '@preact/signals';
import type { Book, HeatColumn } from '../wire/types.ts';

const COLUMN_MS = 1_000;
const COLUMNS_MAX = 900;

export class Books {
  /** Grows with each change. */
  readonly version = signal(0);
  readonly #books = new Map<string, Book>();
  readonly #heat = new Map<string, HeatColumn[]>();

  put(books: readonly Book[]): void {
    if (books.length === 0) return;
    for (const book of books) {
      this.#books.set(book.symbol, book);
      if (book.synced) this.#warm(book);
    }
    this.version.value++;
  }

  of(symbol: string): Book | undefined {
    return this.#books.get(symbol);
  }

  heat(symbol: string): readonly HeatColumn[] {
    return this.#heat.get(symbol) ?? [];
  }

  /** What stood before this page looked. */
  backfill(symbol: string, older: readonly HeatColumn[]): void {
    const columns = this.#heat.get(symbol) ?? [];
    const first = columns[0]?.ts ?? Number.POSITIVE_INFINITY;
    this.#heat.set(symbol, [...older.filter(({ ts }) => ts < first), ...columns]);
    this.version.value++;
  }

  #warm({ symbol, ts, bids, asks }: Book): void {
    const columns = this.#heat.get(symbol) ?? [];
    this.#heat.set(symbol, columns);
    const start = Math.floor(ts / COLUMN_MS) * COLUMN_MS;
    if (columns.at(-1)?.ts === start) return;
    const levels = [...bids.toReversed(), ...asks];
    columns.push({
      ts: start,
      prices: levels.map(([price]) => Number(price)),
      quantities: levels.map(([, quantity]) => Number(quantity)),
    });
    if (columns.length > COLUMNS_MAX) columns.shift();
  }
}
