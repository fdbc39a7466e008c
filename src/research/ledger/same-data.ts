/**
 * Which data of the ledger are the same market under another hash: another symbol name, rows more or less, recordings
 * beside (docs/research.md). One series of each must share half of the shorter one's parts.
 */
import { type DataParts, widened } from '../../recording/tape/data-parts.ts';

/** Data as the ledger knows them. */
export interface KnownData {
  /** `contentHash` of the tape. */
  readonly hash: string;
  readonly parts: DataParts;
}

/** Unix ms. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** A series of other data; `parts`: times, then least hashes. */
export interface StoredSeries {
  readonly dataHash: string;
  readonly spanMs: number;
  readonly parts: Float64Array;
}

interface Indexed {
  /** Own series by least hash. */
  readonly seriesOf: ReadonlyMap<number, number>;
  readonly sizes: readonly number[];
}

/** Hashes of the data that share half, over all or within one of `windows`. */
export function sameDataOf(own: DataParts, others: Iterable<StoredSeries>, windows: readonly Part[]): Set<string> {
  const same = new Set<string>();
  const indexes = new Map<string, Indexed>();
  for (const other of others) {
    if (same.has(other.dataHash)) continue;
    const spanMs = Math.max(own.spanMs, other.spanMs);
    const pairs = pairsOf(other.parts);
    const theirs = other.spanMs === spanMs ? pairs : [...widened(pairs, spanMs)];
    for (const [number, window] of windows.entries()) {
      const key = `${number}/${spanMs}`;
      const mine = indexes.get(key) ?? indexed(own, spanMs, window);
      indexes.set(key, mine);
      if (sharesHalf(mine, within(theirs, spanMs, window))) same.add(other.dataHash);
    }
  }
  return same;
}

function indexed({ series }: DataParts, spanMs: number, window: Part): Indexed {
  const seriesOf = new Map<number, number>();
  const sizes = series.map(({ at, least }, number) => {
    const parts = widened(
      at.map((ms, index) => [ms, least[index]!] as const),
      spanMs,
    );
    const kept = within(parts, spanMs, window);
    for (const hash of kept) seriesOf.set(hash, number);
    return kept.length;
  });
  return { seriesOf, sizes };
}

function sharesHalf({ seriesOf, sizes }: Indexed, theirs: readonly number[]): boolean {
  const shared = sizes.map(() => 0);
  for (const hash of theirs) {
    const number = seriesOf.get(hash);
    if (number !== undefined) shared[number]!++;
  }
  return shared.some((count, number) => count > 0 && 2 * count >= Math.min(sizes[number]!, theirs.length));
}

function within(parts: Iterable<readonly [number, number]>, spanMs: number, { from, to }: Part): readonly number[] {
  const kept: number[] = [];
  for (const [at, hash] of parts) if (at < to && at + spanMs > from) kept.push(hash);
  return kept;
}

function pairsOf(parts: Float64Array): readonly (readonly [number, number])[] {
  const half = parts.length / 2;
  return Array.from({ length: half }, (_, index) => [parts[index]!, parts[half + index]!] as const);
}
