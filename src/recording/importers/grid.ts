/** Infers a step: the largest power of ten dividing every value. */
import { decimalText, isDecimalText } from '../../model/numbers/money.ts';

/** More is float noise and unsafe lots. */
const MAX_PLACES = 12;

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
