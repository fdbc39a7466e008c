/** The recorded markets that somebody asked for, so that each recording is read once. Bounded: the longest unused go. */
import type { Candle, Book, HeatColumn } from '../schemas/market.ts';
import { hasManifest } from '../../recording/frames/manifest.ts';
import { MarketTrail } from './market-trail.ts';
import { recordedBars } from './recorded-bars.ts';
import { recordedBook } from './recorded-book.ts';
import { HeatColumns } from './recorded-heat.ts';

const TRAILS_MAX = 8;
/** Steps of a heat, of one market. */
const STEPS_MAX = 4;

interface Kept {
  readonly trail: MarketTrail;
  readonly heats: Map<number, HeatColumns>;
}

export class RecordedMarkets {
  readonly #kept = new Map<string, Kept>();

  /** Null without a recording of the symbol, or before its first whole book. */
  async book(dir: string, symbol: string, atMs: number, depth: number): Promise<Book | null> {
    const kept = this.#of(dir, symbol);
    return kept === null ? null : recordedBook(kept.trail, atMs, depth);
  }

  /** Oldest first. Empty without a recording of the symbol. */
  async bars(dir: string, symbol: string, intervalMs: number, limit: number): Promise<Candle[]> {
    const kept = this.#of(dir, symbol);
    return kept === null ? [] : recordedBars(kept.trail, intervalMs, limit);
  }

  /** Oldest first. Empty without a recording of the symbol. */
  async heat(dir: string, symbol: string, stepMs: number, limit: number, depth: number): Promise<HeatColumn[]> {
    const kept = this.#of(dir, symbol);
    if (kept === null) return [];
    const { trail, heats } = kept;
    const columns = newest(
      heats,
      stepMs,
      STEPS_MAX,
      () => new HeatColumns(trail, stepMs),
      (old) => old.close(),
    );
    return columns.newest(limit, depth);
  }

  #of(dir: string, symbol: string): Kept | null {
    const key = `${dir} ${symbol}`;
    if (!this.#kept.has(key) && !hasManifest(dir)) return null;
    const trail = this.#kept.get(key)?.trail ?? MarketTrail.open(dir, symbol);
    if (trail === null) return null;
    return newest(
      this.#kept,
      key,
      TRAILS_MAX,
      () => ({ trail, heats: new Map() }),
      () => {},
    );
  }
}

/** The value of a key, as the newest of at most `most`. */
function newest<K, V>(map: Map<K, V>, key: K, most: number, make: () => V, gone: (value: V) => void): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  for (const [each, old] of map) {
    if (map.size <= most) break;
    map.delete(each);
    gone(old);
  }
  return value;
}
