/** What stood in the book at a sequence of moments, from a recording: the heat behind the prices. */
import type { OrderBook } from '../../model/book/book.ts';
import { ASK, BID, type BookSide } from '../../model/market/market-event.ts';
import type { HeatColumn } from '../schemas/market.ts';
import type { MarketTrail } from './market-trail.ts';

/** Levels a side, and columns, that are kept. */
const DEPTH_MAX = 100;
const COLUMNS_MAX = 400;

type Levels = (readonly [ticks: number, lots: number])[];

interface Column {
  readonly ts: number;
  /** Best first. */
  readonly bids: Levels;
  readonly asks: Levels;
}

/** Columns of one step: the book as it was first seen in it. They grow with their trail. */
export class HeatColumns {
  readonly #trail: MarketTrail;
  readonly #stepMs: number;
  #columns: Column[] = [];
  /** Until the books before the first question have been walked. */
  #filling: Promise<void> | null = null;

  constructor(trail: MarketTrail, stepMs: number) {
    this.#trail = trail;
    this.#stepMs = stepMs;
  }

  /** Oldest first. */
  async newest(limit: number, depth: number): Promise<HeatColumn[]> {
    const { instrument } = this.#trail;
    this.#filling ??= this.#fill();
    await this.#filling;
    await this.#trail.readTo(Number.POSITIVE_INFINITY);
    return this.#columns.slice(-Math.min(limit, COLUMNS_MAX)).map(({ ts, bids, asks }) => {
      const levels = [...bids.slice(0, depth).toReversed(), ...asks.slice(0, depth)];
      return {
        ts,
        prices: levels.map(([ticks]) => instrument.priceOf(ticks)),
        quantities: levels.map(([, lots]) => Number(instrument.quantityText(lots))),
      };
    });
  }

  /** Stops listening. */
  close(): void {
    this.#trail.forget(this.#see);
  }

  async #fill(): Promise<void> {
    const trail = this.#trail;
    // Listens to what is read from here on, and walks again over what was read before, as far as it is kept.
    trail.listen(this.#see);
    const heardFrom = trail.lastMs;
    if (heardFrom === Number.NEGATIVE_INFINITY) return;
    const before = new HeatColumns(trail, this.#stepMs);
    await trail.walk(heardFrom - COLUMNS_MAX * this.#stepMs, heardFrom, before.#see);
    const last = before.#columns.at(-1)?.ts ?? Number.NEGATIVE_INFINITY;
    this.#columns = [...before.#columns, ...this.#columns.filter(({ ts }) => ts > last)];
  }

  readonly #see = (book: OrderBook, receivedMs: number): void => {
    const ts = Math.floor(receivedMs / this.#stepMs) * this.#stepMs;
    if ((this.#columns.at(-1)?.ts ?? Number.NEGATIVE_INFINITY) >= ts) return;
    this.#columns.push({ ts, bids: levelsOf(book, BID), asks: levelsOf(book, ASK) });
    if (this.#columns.length > 2 * COLUMNS_MAX) this.#columns = this.#columns.slice(-COLUMNS_MAX);
  };
}

function levelsOf(book: OrderBook, side: BookSide): Levels {
  const found: Levels = [];
  book.walk(side, (ticks, lots) => {
    found.push([ticks, lots]);
    return found.length < DEPTH_MAX;
  });
  return found;
}
