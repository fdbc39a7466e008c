/** The pages of a download of bars, and what is missing between the bars that came. Pure; times are Unix ms. */
import { alignDown } from '../../model/time.ts';

/** Most bars of one answer of the exchange. */
export const PAGE_BARS = 1000;

/** Of one symbol; open times, both included. */
export interface Page {
  readonly symbol: string;
  readonly from: number;
  readonly to: number;
}

export interface BarGap {
  /** Open time of the first and of the last missing bar. */
  readonly from: number;
  readonly to: number;
  readonly bars: number;
}

/** Bars that open at `from` or later and are closed at `to`. */
export function pagesOf(symbols: readonly string[], from: number, to: number, intervalMs: number): readonly Page[] {
  const first = alignDown(from + intervalMs - 1, intervalMs);
  const last = alignDown(to, intervalMs) - intervalMs;
  const step = PAGE_BARS * intervalMs;
  return symbols.flatMap((symbol) => {
    const pages: Page[] = [];
    for (let at = first; at <= last; at += step)
      pages.push({ symbol, from: at, to: Math.min(last, at + step - intervalMs) });
    return pages;
  });
}

/** Open times that are missing, `opens` ascending. */
export class GapFinder {
  readonly #intervalMs: number;
  readonly #last: number;
  #expected: number;
  readonly gaps: BarGap[] = [];
  bars = 0;

  constructor(first: number, last: number, intervalMs: number) {
    this.#expected = first;
    this.#last = last;
    this.#intervalMs = intervalMs;
  }

  bar(openTime: number): void {
    this.#until(openTime);
    this.#expected = openTime + this.#intervalMs;
    this.bars++;
  }

  end(): void {
    this.#until(this.#last + this.#intervalMs);
  }

  #until(openTime: number): void {
    const bars = Math.round((openTime - this.#expected) / this.#intervalMs);
    if (bars > 0) this.gaps.push({ from: this.#expected, to: openTime - this.#intervalMs, bars });
  }
}
