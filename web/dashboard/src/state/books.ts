/** The newest book of each symbol, and how much stood where a moment ago: the heat behind the prices. */
import { signal } from '@preact/signals';
import type { Book } from '../wire/types.ts';

/** What stood at one moment. Prices ascend. */
export interface HeatColumn {
  readonly ts: number;
  readonly prices: Float64Array;
  readonly quantities: Float64Array;
}

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

  #warm({ symbol, ts, bids, asks }: Book): void {
    const columns = this.#heat.get(symbol) ?? [];
    this.#heat.set(symbol, columns);
    const start = Math.floor(ts / COLUMN_MS) * COLUMN_MS;
    if (columns.at(-1)?.ts === start) return;
    const levels = [...bids.toReversed(), ...asks];
    columns.push({
      ts: start,
      prices: Float64Array.from(levels, ([price]) => Number(price)),
      quantities: Float64Array.from(levels, ([, quantity]) => Number(quantity)),
    });
    if (columns.length > COLUMNS_MAX) columns.shift();
  }
}
