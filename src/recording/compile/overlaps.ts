/** Warns of recordings with the same symbol, kind and time, which would be seen twice. */
import type { BarSeries } from './bar-order.ts';
import type { TapeCounts } from '../tape/tape-counts.ts';

/** Exchange time in µs; null without events. */
export interface Held {
  readonly path: string;
  readonly symbols: readonly string[];
  readonly counts: TapeCounts;
  readonly bars: readonly BarSeries[];
  readonly fromUs: number | null;
  readonly toUs: number | null;
}

const KINDS = ['depth', 'trades', 'quotes', 'candles'] as const;

/** One per recording that overlaps an earlier one. */
export function overlapWarnings(all: readonly Held[]): readonly string[] {
  return all.flatMap((held, index) => {
    for (const other of all.slice(0, index)) {
      const symbols = held.symbols.filter((symbol) => other.symbols.includes(symbol));
      const kinds = KINDS.filter((kind) =>
        kind === 'candles' ? hasSameBars(held, other) : held.counts[kind] > 0 && other.counts[kind] > 0,
      );
      if (symbols.length === 0 || kinds.length === 0 || !isSameTime(held, other)) continue;
      const twice = kinds.filter((kind) => kind !== 'candles');
      const what = [
        ...(twice.length === 0 ? [] : [`${twice.join(', ')} of ${symbols.join(', ')} that are in both count twice`]),
        ...(twice.length === kinds.length ? [] : [`of bars of ${symbols.join(', ')} the first in order counts`]),
      ];
      return [`${held.path} and ${other.path} overlap: ${what.join('; ')}`];
    }
    return [];
  });
}

/** Bars of other intervals are none of the same. */
function hasSameBars(a: Held, b: Held): boolean {
  return a.bars.some(({ symbol, intervalMs }) =>
    b.bars.some((other) => other.symbol === symbol && other.intervalMs === intervalMs),
  );
}

function isSameTime(a: Held, b: Held): boolean {
  if (a.fromUs === null || a.toUs === null || b.fromUs === null || b.toUs === null) return false;
  return a.fromUs < b.toUs && b.fromUs < a.toUs;
}
