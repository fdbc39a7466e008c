/**
 * Scaled integers of P2P trades (interface, "Encoding rule"): integer text, divided by ten to the precision. Only RUB
 * and USDT are documented.
 */
import { parseUnits, unitsText } from '../../../model/numbers/fixed-text.ts';
import { p2pAmountDecimals, P2P_PRICE_DECIMALS } from '../../interface/resources.ts';

export const P2P_PRICE_SCALE: number = P2P_PRICE_DECIMALS;

const scales: ReadonlyMap<string, number> = new Map(Object.entries(p2pAmountDecimals));

const INTEGER = /^\d{1,40}$/;

/** Undefined when undocumented. */
export function p2pScale(currency: string): number | undefined {
  return scales.get(currency);
}

/** Undefined unless an integer ≥ 0. */
export function readScaled(value: unknown, scale: number): string | undefined {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || !INTEGER.test(text)) return undefined;
  return unitsText(parseUnits(text, 0) ?? 0, scale);
}

/** Throws a `RangeError` for finer decimals. */
export function scaledText(decimal: string, scale: number): string {
  const scaled = parseUnits(decimal, scale);
  if (scaled === undefined || scaled < 0) throw new RangeError(`${decimal} has no ${scale} decimal places`);
  return String(scaled);
}
