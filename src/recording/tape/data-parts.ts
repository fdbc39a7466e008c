/**
 * Fingerprints of parts of the data, by which the trial ledger knows a market under another hash again
 * (docs/research.md): the least hash of the rows in each span of each series (bars of an interval, trades, quotes or
 * depth of a symbol). Rows hold no symbol, and one row more or less changes one part in as many as a span has rows.
 */
import type { DepthEvent, MarketEvent, QuoteEvent, TradeEvent } from '../../model/market/market-event.ts';

const SPAN_MS = 1000;
/** Of all series; beyond it spans double. */
const PARTS_MAX = 2048;
/** However many series there are. */
const PARTS_OF_A_SERIES = 16;

export interface SeriesParts {
  readonly name: string;
  /** Unix ms of the spans' starts, rising. */
  readonly at: readonly number[];
  readonly least: readonly number[];
}

export interface DataParts {
  readonly spanMs: number;
  readonly series: readonly SeriesParts[];
}

/** Takes rows in any order. */
export class PartsDraft {
  readonly #series = new Map<string, Map<number, number>>();
  readonly #row = new RowHash();
  #spanMs: number;
  #count = 0;

  constructor(spanMs = SPAN_MS) {
    this.#spanMs = spanMs;
  }

  /** Of the kinds that make prices. */
  add(event: MarketEvent): void {
    const { symbol } = event.instrument;
    if (event.kind === 'candle') {
      if (!event.closed) return;
      const { intervalMs, openTime, open, high, low, close, volume } = event;
      this.#row.begin(intervalMs, openTime);
      for (const value of [open, high, low, close, volume]) this.#row.add(value);
      this.put(`${symbol}/${intervalMs}`, openTime, this.#row.value);
      return;
    }
    if (event.kind !== 'trade' && event.kind !== 'quote' && event.kind !== 'depth') return;
    if (event.kind === 'depth' && event.levels.from === event.levels.to) return;
    const isDated = !Number.isNaN(event.exchangeUs);
    const ms = Math.floor((isDated ? event.exchangeUs : event.receiveUs) / 1000);
    this.#row.begin(0, isDated ? ms : 0);
    this.#addPrices(event);
    this.put(`${symbol}/${event.kind}`, ms, this.#row.value);
  }

  put(series: string, ms: number, hash: number): void {
    let parts = this.#series.get(series);
    if (parts === undefined) this.#series.set(series, (parts = new Map()));
    const at = startOf(ms, this.#spanMs);
    const least = parts.get(at);
    if (least !== undefined && least <= hash) return;
    parts.set(at, hash);
    if (least === undefined) this.#count++;
    while (this.#count > Math.max(PARTS_MAX, PARTS_OF_A_SERIES * this.#series.size)) this.#widen();
  }

  get parts(): DataParts {
    const series = [...this.#series].map(([name, parts]) => {
      const sorted = [...parts].sort(([a], [b]) => a - b);
      return { name, at: sorted.map(([at]) => at), least: sorted.map(([, least]) => least) };
    });
    return { spanMs: this.#spanMs, series };
  }

  #addPrices(event: TradeEvent | QuoteEvent | DepthEvent): void {
    const { tick, lot } = event.instrument;
    const add = (ticks: number, lots: number): void => {
      this.#row.add(ticks * tick);
      this.#row.add(lots * lot);
    };
    if (event.kind === 'trade') add(event.ticks, event.lots);
    else if (event.kind === 'quote') {
      add(event.bidTicks, event.bidLots);
      add(event.askTicks, event.askLots);
    } else {
      const { ticks, lots, from, to } = event.levels;
      for (let level = from; level < to; level++) add(ticks[level]!, lots[level]!);
    }
  }

  #widen(): void {
    this.#spanMs *= 2;
    this.#count = 0;
    for (const [name, parts] of this.#series) {
      const wider = widened(parts, this.#spanMs);
      this.#series.set(name, wider);
      this.#count += wider.size;
    }
  }
}

/** Of several recordings together, made when asked; older tapes have none. */
export function joinedParts(recordings: readonly (DataParts | undefined)[]): () => DataParts {
  const all = recordings.flatMap((parts) => parts ?? []);
  return () => {
    if (all.length === 1) return all[0]!;
    const draft = new PartsDraft(all.reduce((most, { spanMs }) => Math.max(most, spanMs), SPAN_MS));
    for (const { name, at, least } of all.flatMap(({ series }) => series)) {
      for (const [index, ms] of at.entries()) draft.put(name, ms, least[index]!);
    }
    return draft.parts;
  };
}

/** `parts`: least hashes by Unix ms. */
export function widened(parts: Iterable<readonly [number, number]>, spanMs: number): Map<number, number> {
  const wider = new Map<number, number>();
  for (const [ms, hash] of parts) {
    const at = startOf(ms, spanMs);
    wider.set(at, Math.min(hash, wider.get(at) ?? Infinity));
  }
  return wider;
}

function startOf(ms: number, spanMs: number): number {
  return Math.floor(ms / spanMs) * spanMs;
}

/** 53 bits of two lanes of MurmurHash3. Prices count in single precision: a grid's step must not show. */
class RowHash {
  readonly #single = new Float32Array(1);
  readonly #bits = new Uint32Array(this.#single.buffer);
  #low = 0;
  #high = 0;

  begin(intervalMs: number, ms: number): void {
    this.#low = 0x9747b28c;
    this.#high = 0x3c6ef372;
    for (const word of [intervalMs, ms >>> 0, Math.floor(ms / 2 ** 32)]) this.#mix(word);
  }

  add(value: number): void {
    this.#single[0] = value;
    this.#mix(this.#bits[0]!);
  }

  get value(): number {
    return (ended(this.#high) >>> 11) * 2 ** 32 + ended(this.#low);
  }

  #mix(word: number): void {
    const turned = Math.imul(word, 0xcc9e2d51);
    const mixed = Math.imul((turned << 15) | (turned >>> 17), 0x1b873593);
    const low = this.#low ^ mixed;
    this.#low = (Math.imul((low << 13) | (low >>> 19), 5) + 0xe6546b64) | 0;
    const high = this.#high ^ mixed;
    this.#high = (Math.imul((high << 17) | (high >>> 15), 9) + 0x38b34ae5) | 0;
  }
}

function ended(lane: number): number {
  let mixed = lane ^ (lane >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
