/**
 * Scaled integers of P2P trades (interface, "Encoding rule"): `volume`, `amount` and `price` are texts of integers
 * without a decimal separator, divided by ten to the power of a precision. The document gives the precision of RUB and
 * USDT alone: any other currency is a decoding failure, never a guess.
 */
import { parseUnits, unitsText } from '../../model/fixed-text.ts';
import { p2pAmountDecimals, P2P_PRICE_DECIMALS } from '../interface/resources.ts';

export const P2P_PRICE_SCALE: number = P2P_PRICE_DECIMALS;

const scales: ReadonlyMap<string, number> = new Map(Object.entries(p2pAmountDecimals));

const INTEGER = /^\d{1,40}$/;

/** Decimal places of amounts of a currency, or undefined when the document does not say. */
export function p2pScale(currency: string): number | undefined {
  return scales.get(currency);
}

/** Canonical decimal text of a scaled integer of zero or above, or undefined when it is none. */
export function readScaled(value: unknown, scale: number): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !INTEGER.test(text)) return undefined;
  return unitsText(parseUnits(text, 0) ?? 0, scale);
}

/** Throws a `RangeError` when the decimal is finer than the scale: rounding money is the caller's business. */
export function scaledText(decimal: string, scale: number): string {
  const scaled = parseUnits(decimal, scale);
  if (scaled === undefined || scaled < 0) throw new RangeError(`${decimal} has no ${scale} decimal places`);
  return String(scaled);
}
