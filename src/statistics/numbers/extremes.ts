/**
 * Range minimum and maximum of a series: a pyramid of blocks of 32, built in O(n), at most 64 entries read per level.
 */
import { indexAt, type Series } from '../series.ts';

const RADIX = 32;

export interface Range {
  readonly low: number;
  readonly high: number;
}

interface Level {
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly length: number;
}

export class Extremes {
  readonly #series: Series;
  readonly #levels: Level[];

  constructor(series: Series) {
    this.#series = series;
    this.#levels = [{ low: series.value, high: series.value, length: series.length }];
    for (let level = this.#levels[0]!; level.length > RADIX;) {
      level = condense(level);
      this.#levels.push(level);
    }
  }

  /**
   * Extremes of the value between two times, inclusive; null before the first point. Where several points share a time the
   * stretch begins with `first` and ends with `last`, if they are among them.
   */
  between(from: number, to: number, first: number | null = null, last: number | null = null): Range | null {
    const end = this.#indexOf(to, last);
    if (end < 0) return null;
    return this.#query(Math.max(0, this.#indexOf(from, first)), end + 1);
  }

  #indexOf(ts: number, value: number | null): number {
    const { ts: times, value: values } = this.#series;
    const last = indexAt(this.#series, ts);
    for (let at = last; times[at] === ts; at--) if (values[at] === value) return at;
    return last;
  }

  #query(from: number, to: number): Range {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let start = from;
    let end = to;
    for (let depth = 0; start < end; depth++) {
      const level = this.#levels[depth]!;
      const top = depth + 1 === this.#levels.length;
      const take = (i: number): void => {
        if (level.low[i]! < low) low = level.low[i]!;
        if (level.high[i]! > high) high = level.high[i]!;
      };
      while (start < end && (top || start % RADIX !== 0)) take(start++);
      while (start < end && end % RADIX !== 0) take(--end);
      start /= RADIX;
      end /= RADIX;
    }
    return { low, high };
  }
}

function condense(level: Level): Level {
  const length = Math.ceil(level.length / RADIX);
  const low = new Float64Array(length).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(length).fill(Number.NEGATIVE_INFINITY);
  for (let i = 0; i < level.length; i++) {
    const block = Math.floor(i / RADIX);
    if (level.low[i]! < low[block]!) low[block] = level.low[i]!;
    if (level.high[i]! > high[block]!) high[block] = level.high[i]!;
  }
  return { low, high, length };
}
