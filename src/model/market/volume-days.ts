/** Traded volume by time of day (UTC) of the newest days, from closed candles. What `vwap` makes its curve of. */
import type { Candle } from './views.ts';

const DAY_MS = 86_400_000;
const INTERVAL_MS_MIN = 1_000;
const DAYS_KEPT = 9;
/** A week: every day of the week counts once. */
const DAYS_AVERAGED = 7;

/** Candles of one interval. */
export class VolumeSeries {
  readonly #intervalMs: number;
  /** By day since 1970; NaN where no candle is known. */
  readonly #days = new Map<number, Float64Array>();
  #newest = Number.NaN;
  #slots: Float64Array = new Float64Array(0);

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(openTime: number, volume: number): void {
    const day = Math.floor(openTime / DAY_MS);
    if (day !== this.#newest) this.#turn(day);
    this.#slots[Math.floor((openTime - day * DAY_MS) / this.#intervalMs)] = volume;
  }

  /** Of each part, the mean of the earlier days that are known in full; null: none is, or nothing was traded. */
  curve(fromMs: number, overMs: number, parts: number): readonly number[] | null {
    const sums = new Float64Array(parts);
    let days = 0;
    const first = Math.ceil(overMs / DAY_MS);
    for (let back = first; back < first + DAYS_KEPT && days < DAYS_AVERAGED; back++) {
      const volumes = this.#of(fromMs - back * DAY_MS, overMs / parts, parts);
      if (volumes === null) continue;
      days++;
      for (let part = 0; part < parts; part++) sums[part]! += volumes[part]!;
    }
    const means = Array.from(sums, (sum) => sum / days);
    return days > 0 && means.some((mean) => mean > 0) ? means : null;
  }

  /** A candle that two parts share is divided by time. */
  #of(fromMs: number, partMs: number, parts: number): Float64Array | null {
    const volumes = new Float64Array(parts);
    const intervalMs = this.#intervalMs;
    for (let part = 0; part < parts; part++) {
      const begin = fromMs + part * partMs;
      const end = begin + partMs;
      for (let open = Math.floor(begin / intervalMs) * intervalMs; open < end; open += intervalMs) {
        const day = Math.floor(open / DAY_MS);
        const volume = this.#days.get(day)?.[(open - day * DAY_MS) / intervalMs] ?? Number.NaN;
        if (Number.isNaN(volume)) return null;
        const shared = Math.min(end, open + intervalMs) - Math.max(begin, open);
        volumes[part]! += (volume * shared) / intervalMs;
      }
    }
    return volumes;
  }

  #turn(day: number): void {
    let slots = this.#days.get(day);
    if (slots === undefined) {
      slots = new Float64Array(DAY_MS / this.#intervalMs).fill(Number.NaN);
      this.#days.set(day, slots);
      if (this.#days.size > DAYS_KEPT) this.#days.delete(Math.min(...this.#days.keys()));
    }
    this.#newest = day;
    this.#slots = slots;
  }
}

/** All intervals of a symbol. */
export class VolumeDays {
  readonly #series = new Map<number, VolumeSeries>();

  /** Null for an interval that does not divide a day, or below a second. */
  of(intervalMs: number): VolumeSeries | null {
    if (!(intervalMs >= INTERVAL_MS_MIN) || DAY_MS % intervalMs !== 0) return null;
    let series = this.#series.get(intervalMs);
    if (series === undefined) this.#series.set(intervalMs, (series = new VolumeSeries(intervalMs)));
    return series;
  }

  remember(candles: readonly Candle[]): void {
    for (const { closed, intervalMs, openTime, volume } of candles)
      if (closed) this.of(intervalMs)?.add(openTime, volume);
  }

  /** From the shortest candles that know an earlier day. */
  curve(fromMs: number, overMs: number, parts: number): readonly number[] | null {
    for (const intervalMs of [...this.#series.keys()].toSorted((left, right) => left - right)) {
      const curve = this.#series.get(intervalMs)!.curve(fromMs, overMs, parts);
      if (curve !== null) return curve;
    }
    return null;
  }
}
