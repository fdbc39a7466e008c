/** Result warnings about order books lost and not recovered. */
import type { Gap } from '../../model/market/views.ts';

/** Unix ms. */
export function lostBookWarnings(gaps: readonly Gap[], to: number): readonly string[] {
  return gaps.map(({ symbol, from, reason }) => {
    const seconds = Math.max(0, (to - from) / 1000).toFixed(1);
    const since = new Date(from).toISOString();
    return `${symbol}: no whole order book for the last ${seconds} s, since ${since} (${reason}); equity, drift and markouts stand at the last mid before that`;
  });
}
