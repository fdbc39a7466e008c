/** A decimal in a snapshot: `<units>/<scale>`. The scale is kept so that later sums are the same. */
import { unitsOf } from '../../model/fixed.ts';
import { Decimal } from '../../model/money.ts';

export type SavedDecimals = readonly (readonly [string, string])[];

export function savedDecimal({ units, scale }: Decimal): string {
  return `${units}/${scale}`;
}

export function decimalOf(text: string): Decimal {
  const cut = text.indexOf('/');
  return new Decimal(unitsOf(BigInt(text.slice(0, cut))), Number(text.slice(cut + 1)));
}

export function savedDecimals(values: ReadonlyMap<string, Decimal>): SavedDecimals {
  return [...values].map(([key, value]) => [key, savedDecimal(value)]);
}

export function loadDecimals(saved: SavedDecimals, values: Map<string, Decimal>): void {
  for (const [key, text] of saved) values.set(key, decimalOf(text));
}
