/** Result warnings about recorded marks that stood while nothing new was recorded. */
import type { Instrument } from '../../model/market/instrument.ts';
import { msOf } from '../../model/time.ts';

/** Marks come every few seconds. */
const LONG_MS = 5 * 60_000;

/** `stoodUs`: the longest time without a new mark, µs; 0 without any. */
export function staleMarkWarnings(
  traded: readonly Instrument[],
  stoodUs: (instrument: Instrument) => number,
): readonly string[] {
  return traded.flatMap((instrument) => {
    const stoodMs = msOf(stoodUs(instrument));
    if (instrument.market !== 'derivative' || stoodMs <= LONG_MS) return [];
    return `${instrument.symbol}: for ${(stoodMs / 60_000).toFixed(0)} min no new mark was recorded, and the last one counted: equity and liquidation stood still`;
  });
}
