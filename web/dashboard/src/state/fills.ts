/** Fills out of entries, in the shape of the API. */
import type { EntryRow, FillRow } from '../wire/types.ts';

export interface Named {
  readonly ref: string | null;
  readonly strategy: string;
}

/** Null for an entry of another kind. `nameOf` answers whose the intent is. */
export function fillOf({ seq, ts, kind, entry }: EntryRow, nameOf: (intentId: string) => Named): FillRow | null {
  if (kind !== 'fill' && kind !== 'liquidation') return null;
  const fill = entry['fill'] as Omit<FillRow, 'seq' | 'strategy' | 'ref' | 'mid'>;
  const strategy = entry['strategy'];
  const named = typeof strategy === 'string' ? { ref: null, strategy } : nameOf(String(entry['intentId']));
  const { tradeId, symbol, side, price, quantity, fee, feeCurrency, liquidity } = fill;
  const mid = typeof entry['mid'] === 'number' ? entry['mid'] : null;
  return { seq, ts, tradeId, ...named, symbol, side, price, quantity, fee, feeCurrency, liquidity, mid };
}
