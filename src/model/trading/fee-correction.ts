/** Fills of no quantity that correct the fee of a booked trade (`spine/orders/listed-fee.ts`). */
import { dec, decimalText } from '../numbers/money.ts';
import type { VenueFill } from './fill.ts';

const MARK = /\/fee-\d+$/;

/** In another currency than its trade, it stays a row of its own. */
interface Corrected extends Pick<VenueFill, 'quantity' | 'fee' | 'feeCurrency'> {
  readonly feeValue?: string;
}

export function feeCorrectionId(tradeId: string, number: number): string {
  return `${tradeId}/fee-${number}`;
}

/** Of a correction the id of its trade, else its own. */
export function correctedTradeId(tradeId: string): string {
  return tradeId.replace(MARK, '');
}

export function isFeeCorrection({ quantity }: Pick<VenueFill, 'quantity'>): boolean {
  return quantity === '0';
}

/** The trades, each with its corrected fee. `tradeOf`: the same of a trade and its corrections. */
export function withCorrectedFees<Row extends Corrected>(
  rows: readonly Row[],
  tradeOf: (row: Row) => string,
): readonly Row[] {
  if (!rows.some(isFeeCorrection)) return rows;
  const kept: Row[] = [];
  const places = new Map<string, number>();
  for (const row of rows) {
    const key = `${row.feeCurrency}/${tradeOf(row)}`;
    const place = places.get(key);
    if (place !== undefined && isFeeCorrection(row)) {
      kept[place] = { ...kept[place]!, ...sumOf(kept[place]!, row) };
      continue;
    }
    places.set(key, kept.length);
    kept.push(row);
  }
  return kept;
}

function sumOf(trade: Corrected, { fee, feeValue }: Corrected): Pick<Corrected, 'fee' | 'feeValue'> {
  const sum = decimalText(dec(trade.fee).plus(fee));
  if (trade.feeValue === undefined || feeValue === undefined) return { fee: sum };
  return { fee: sum, feeValue: decimalText(dec(trade.feeValue).plus(feeValue)) };
}
