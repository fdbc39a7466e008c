/** Infers a step: the largest power of ten dividing every value. */
import { decimalText, isDecimalText } from '../../model/numbers/money.ts';

/** More is float noise and unsafe lots. */
const MAX_PLACES = 12;
/** So many different prices show their step; fewer may all be round by chance. */
const PRICES_ENOUGH = 100;
const BASIS_POINT = 1e-4;

export class GridProbe {
  /** Negative for multiples of ten; null before the first non-zero value. */
  #places: number | null = null;

  add(value: unknown): void {
    const text = typeof value === 'string' ? value : typeof value === 'number' ? decimalText(value) : '';
    const places = placesOf(text);
    if (places !== null && (this.#places === null || places > this.#places)) this.#places = places;
  }

  get seen(): boolean {
    return this.#places !== null;
  }

  /** Canonical text; `fallback` without values. */
  step(fallback: string): string {
    if (this.#places === null) return fallback;
    return decimalText(`1e${-Math.min(this.#places, MAX_PLACES)}`);
  }
}

/** How coarse the step of bars is, on which slippage is rounded to it. */
export class BarPrices {
  readonly #different = new Set<number>();
  #least = Infinity;

  add(value: unknown): void {
    const price = Number(value);
    if (price > 0 && price < this.#least) this.#least = price;
    if (this.#different.size < PRICES_ENOUGH) this.#different.add(price);
  }

  /** Of few prices no coarser than a basis point of the least. */
  step(found: string): string {
    const most = Math.floor(Math.log10(this.#least * BASIS_POINT));
    if (this.#different.size >= PRICES_ENOUGH || !Number.isFinite(most) || Number(found) <= 10 ** most) return found;
    return decimalText(`1e${Math.max(most, -MAX_PLACES)}`);
  }

  /** Of the least price. */
  basisPoints(step: string): number {
    return Number(step) / this.#least / BASIS_POINT;
  }
}

/** Null for zero and non-decimals. */
function placesOf(text: string): number | null {
  const point = text.indexOf('.');
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 48) end--;
  if (point >= 0 && end > point + 1) return isDecimalText(text) ? end - 1 - point : null;
  // Trailing zeros count negatively.
  const whole = point >= 0 ? text.slice(0, point) : text;
  let last = whole.length;
  while (last > 0 && whole.charCodeAt(last - 1) === 48) last--;
  if (last === 0 || !isDecimalText(whole)) return null;
  return last - whole.length;
}
