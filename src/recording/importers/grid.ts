/**
 * Infers a price or quantity step: the largest power of ten that divides every value seen (cli.md). Zeros say nothing.
 * Works on the text, so no digit is rounded.
 */
import { decimalText, isDecimalText } from '../../model/money.ts';

/** Steps are never finer: what a feed prints beyond is float noise, and lots would leave the safe integers. */
const MAX_PLACES = 12;

export class GridProbe {
  /** Decimal places needed; negative for whole hundreds and so on. `null` before the first value above zero. */
  #places: number | null = null;

  add(value: unknown): void {
    const text = typeof value === 'string' ? value : typeof value === 'number' ? decimalText(value) : '';
    const places = placesOf(text);
    if (places !== null && (this.#places === null || places > this.#places)) this.#places = places;
  }

  get seen(): boolean {
    return this.#places !== null;
  }

  /** The step as canonical text; `fallback` when no value was seen. */
  step(fallback: string): string {
    if (this.#places === null) return fallback;
    return decimalText(`1e${-Math.min(this.#places, MAX_PLACES)}`);
  }
}

/** Decimal places of a plain decimal without its trailing zeros; null for zero and for what is no decimal. */
function placesOf(text: string): number | null {
  const point = text.indexOf('.');
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 48) end--;
  if (point >= 0 && end > point + 1) return isDecimalText(text) ? end - 1 - point : null;
  // A whole number: its trailing zeros count down.
  const whole = point >= 0 ? text.slice(0, point) : text;
  let last = whole.length;
  while (last > 0 && whole.charCodeAt(last - 1) === 48) last--;
  if (last === 0 || !isDecimalText(whole)) return null;
  return last - whole.length;
}
