/**
 * Gross notional at mid over equity. Points of the equity curve may share a time, and fills and mids have no other
 * order than time. Such a point is explained by its change of the equity:
 *
 *   fills       what the next fills change it by, at the mid at which they were filled
 *   a mid       what the next mids of one symbol change it by
 *   else        every later point of that time has a fill of its own, as far as they suffice; mids are the last
 *
 * The last point of a time comes after all fills and mids of that time.
 */
import { Holdings } from './holdings.ts';
import { finite } from './numbers/moments.ts';
import type { Series } from './series.ts';
import { type FillValue, positionChange } from './valuation.ts';

export interface Leverage {
  readonly meanLeverage: number | null;
  readonly maxLeverage: number | null;
}

export interface LeverageInput {
  readonly values: readonly FillValue[];
  readonly equity: Series;
  readonly mids: Readonly<Record<string, Series>>;
  readonly from: number;
  readonly to: number;
}

export function leverageOf({ values, equity, mids, from, to }: LeverageInput): Leverage {
  const state = new MarkedHoldings(values, mids);
  const { ts, value, length } = equity;
  let sum = 0;
  let highest = 0;
  for (let i = 0, end = 0; i < length; i++) {
    const now = ts[i]!;
    if (i === end) {
      while (end < length && ts[end] === now) end++;
      if (end > i + 1) state.before(now);
    }
    if (i + 1 === end) state.until(now);
    else state.explain(now, i === 0 ? 0 : value[i]! - value[i - 1]!, Math.abs(value[i]!), end - i - 1);
    if (!state.isOpen) continue;
    if (!(value[i]! > 0)) return { meanLeverage: null, maxLeverage: null };
    const level = state.gross() / value[i]!;
    sum += level * Math.max(0, (i + 1 < length ? ts[i + 1]! : to) - now);
    if (level > highest) highest = level;
  }
  return { meanLeverage: finite(sum / (to - from)), maxLeverage: finite(highest) };
}

/** Against rounding; relative to the equity and what is held. */
const MARGIN = 1e-10;

/** Holdings and mids at one point of the curve. */
class MarkedHoldings {
  readonly #values: readonly FillValue[];
  readonly #holdings = new Holdings();
  /** Property access with a new string per run would deoptimise. */
  readonly #paths: Map<string, Series>;
  readonly #cursors = new Map<string, number>();
  #next = 0;
  /** Mids are looked up at the last point until then, once they are asked for. */
  #now = -Infinity;

  constructor(values: readonly FillValue[], mids: Readonly<Record<string, Series>>) {
    this.#values = values;
    this.#paths = new Map(Object.entries(mids));
  }

  get isOpen(): boolean {
    return this.#holdings.open > 0;
  }

  until(now: number): void {
    while (this.#next < this.#values.length && this.#values[this.#next]!.fill.ts <= now) this.#fill();
    this.#now = now;
  }

  before(now: number): void {
    while (this.#next < this.#values.length && this.#values[this.#next]!.fill.ts < now) this.#fill();
    for (const [symbol, path] of this.#paths) {
      let at = this.#cursor(symbol);
      while (at + 1 < path.length && path.ts[at + 1]! < now) at++;
      this.#cursors.set(symbol, at);
    }
    this.#now = -Infinity;
  }

  /** `later`: points of the same time after this one. */
  explain(now: number, change: number, equity: number, later: number): void {
    const margin = MARGIN * (equity + this.gross());
    if (this.#byFills(now, change, margin) || this.#byMid(now, change, margin)) return;
    let fills = 0;
    while (this.#values[this.#next + fills]?.fill.ts === now) fills++;
    for (; fills > later; fills--) this.#fill();
    this.#now = now;
  }

  gross(): number {
    let gross = 0;
    for (const { symbol, rateBy, size, price, rate } of this.#holdings.all()) {
      if (size === 0) continue;
      const value = size * this.#mid(symbol, price);
      if (rateBy === undefined) gross += value * rate;
      else if (rateBy.inverse) gross += value / this.#mid(rateBy.symbol, 1 / rate);
      else gross += value * this.#mid(rateBy.symbol, rate);
    }
    return gross;
  }

  #fill(): void {
    this.#holdings.apply(this.#values[this.#next++]!);
  }

  #byFills(now: number, change: number, margin: number): boolean {
    let sum = 0;
    for (let end = this.#next; this.#values[end]?.fill.ts === now; end++) {
      const value = this.#values[end]!;
      if (value.fill.mid === null) return false;
      sum += changeBy(value, value.fill.mid);
      if (Math.abs(sum - change) > margin) continue;
      while (this.#next <= end) {
        const { symbol, mid } = this.#values[this.#next]!.fill;
        this.#seek(symbol, now, (each) => each === mid);
        this.#fill();
      }
      return true;
    }
    return false;
  }

  #byMid(now: number, change: number, margin: number): boolean {
    const units = new Map<string, { perStep: number; from: number }>();
    for (const { symbol, rateBy, quantity, size, price, rate } of this.#holdings.all()) {
      if (size === 0) continue;
      const held = units.get(symbol) ?? { perStep: 0, from: this.#mid(symbol, price) };
      const worth = rateBy === undefined ? rate : this.#mid(rateBy.symbol, rateBy.inverse ? 1 / rate : rate);
      held.perStep += (quantity.isNegative() ? -size : size) * (rateBy?.inverse === true ? 1 / worth : worth);
      units.set(symbol, held);
    }
    for (const [symbol, { perStep, from }] of units)
      if (this.#seek(symbol, now, (mid) => Math.abs(perStep * (mid - from) - change) <= margin)) return true;
    return false;
  }

  /** Moves to the next mid of the symbol, at the latest at `now`, that is one. */
  #seek(symbol: string, now: number, isOne: (mid: number) => boolean): boolean {
    const path = this.#paths.get(symbol);
    if (path === undefined) return false;
    for (let at = this.#cursor(symbol) + 1; at < path.length && path.ts[at]! <= now; at++) {
      if (!isOne(path.value[at]!)) continue;
      this.#cursors.set(symbol, at);
      return true;
    }
    return false;
  }

  #cursor(symbol: string): number {
    return this.#cursors.get(symbol) ?? -1;
  }

  /** `fallback`: before its first point. */
  #mid(symbol: string, fallback: number): number {
    const path = this.#paths.get(symbol);
    if (path === undefined) return fallback;
    let at = this.#cursor(symbol);
    if (at + 1 < path.length && path.ts[at + 1]! <= this.#now) {
      while (at + 1 < path.length && path.ts[at + 1]! <= this.#now) at++;
      this.#cursors.set(symbol, at);
    }
    return at < 0 ? fallback : path.value[at]!;
  }
}

/** Of the equity, where the price stays at `mid`. */
function changeBy(value: FillValue, mid: number): number {
  const { direction, quantity, unit, notional, fee } = value;
  const held = positionChange(value);
  const isFeeInBase = !held.abs().eq(quantity);
  const traded = held.times(unit).times(mid).minus(notional.times(direction));
  return (isFeeInBase || fee === null ? traded : traded.minus(fee)).toNumber();
}
