/**
 * Recordings of the same time that hold the same: what is in both would be seen twice, and more filled than was printed (M4);
 * of bars each side takes the first, since a later one of the same open tells it nothing.
 * Nothing tells which of the two is right, so it is said. Called by `open-tape.ts`. Pure.
 */
import type { TapeCounts } from './tape.ts';

/** What one recording holds, exchange time in µs; null without events. */
export interface Held {
  readonly path: string;
  readonly symbols: readonly string[];
  readonly counts: TapeCounts;
  readonly fromUs: number | null;
  readonly toUs: number | null;
}

const KINDS = ['depth', 'trades', 'quotes', 'candles'] as const;

/** One sentence for each recording that overlaps an earlier one in a symbol and a kind. */
export function overlapWarnings(all: readonly Held[]): readonly string[] {
  return all.flatMap((held, index) => {
    for (const other of all.slice(0, index)) {
      const symbols = held.symbols.filter((symbol) => other.symbols.includes(symbol));
      const kinds = KINDS.filter((kind) => held.counts[kind] > 0 && other.counts[kind] > 0);
      if (symbols.length === 0 || kinds.length === 0 || !isSameTime(held, other)) continue;
      const twice = kinds.filter((kind) => kind !== 'candles');
      const what = [
        ...(twice.length === 0 ? [] : [`${twice.join(', ')} of ${symbols.join(', ')} that are in both count twice`]),
        ...(twice.length === kinds.length ? [] : [`of bars of ${symbols.join(', ')} the first that is told counts`]),
      ];
      return [`${held.path} and ${other.path} overlap: ${what.join('; ')}`];
    }
    return [];
  });
}

function isSameTime(a: Held, b: Held): boolean {
  if (a.fromUs === null || a.toUs === null || b.fromUs === null || b.toUs === null) return false;
  return a.fromUs < b.toUs && b.fromUs < a.toUs;
}
