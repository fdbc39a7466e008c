/** Bars of the mid in ticks, of a second and of a minute; longer ones are made of them. Bounded: the oldest go. */

/** Open, high, low, close. */
export type TickBar = [startMs: number, open: number, high: number, low: number, close: number];

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** A day of seconds, and two months of minutes. */
const BARS_MAX = 90_000;

export class MidBars {
  readonly #seconds: TickBar[] = [];
  readonly #minutes: TickBar[] = [];

  add(mid: number, atMs: number): void {
    put(this.#seconds, [Math.floor(atMs / SECOND_MS) * SECOND_MS, mid, mid, mid, mid]);
    put(this.#minutes, [Math.floor(atMs / MINUTE_MS) * MINUTE_MS, mid, mid, mid, mid]);
  }

  /** The newest `limit`, oldest first; null: an interval that is not made of these. */
  of(intervalMs: number, limit: number): readonly TickBar[] | null {
    const base = intervalMs % MINUTE_MS === 0 ? this.#minutes : intervalMs % SECOND_MS === 0 ? this.#seconds : null;
    if (base === null) return null;
    const bars: TickBar[] = [];
    for (const [startMs, ...prices] of base) put(bars, [Math.floor(startMs / intervalMs) * intervalMs, ...prices]);
    return bars.slice(-limit);
  }
}

/** Into the last bar of its start, or as a new one. */
function put(bars: TickBar[], bar: TickBar): void {
  const last = bars.at(-1);
  if (last?.[0] !== bar[0]) {
    bars.push([...bar]);
    if (bars.length > 2 * BARS_MAX) bars.splice(0, bars.length - BARS_MAX);
    return;
  }
  last[2] = Math.max(last[2], bar[2]);
  last[3] = Math.min(last[3], bar[3]);
  last[4] = bar[4];
}
