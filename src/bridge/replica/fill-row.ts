/** An own trade as the API shows it. */
import type { CreateIntentEntry, JournalRow } from '../../model/entries/journal.ts';
import type { FillRow } from '../schemas/orders.ts';

/** Of an order's trade. Absent: not known any more. */
export type FilledIntent = Pick<CreateIntentEntry, 'strategy' | 'ref'>;

/** Null: another kind of row. */
export function fillRowOf(
  { seq, ts, entry }: JournalRow,
  intentOf: (intentId: string) => FilledIntent | undefined,
): FillRow | null {
  if (entry.kind !== 'fill' && entry.kind !== 'liquidation') return null;
  const intent = entry.kind === 'fill' ? intentOf(entry.intentId) : undefined;
  const strategy = entry.kind === 'fill' ? (intent?.strategy ?? '') : entry.strategy;
  const { tradeId, symbol, side, price, quantity, fee, feeCurrency, liquidity } = entry.fill;
  return {
    seq,
    ts,
    tradeId,
    strategy,
    ref: intent?.ref ?? null,
    symbol,
    side,
    price,
    quantity,
    fee,
    feeCurrency,
    liquidity,
    mid: entry.kind === 'fill' ? entry.mid : null,
  };
}
