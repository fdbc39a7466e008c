/**
 * Marks an account to market as fills and mids come, and keeps the equity curve that the statistics use: the start,
 * each fill, and the last, lowest and highest point of each second (cli.md, `equity`). Exact money enters as balances;
 * the curve itself is in JS numbers, as it is only measured, never paid.
 */
import type { Series } from '../statistics/series.ts';
import { EquityCurve } from './equity-curve.ts';

interface Holding {
  quantity: number;
  mid: number;
}

/** How one position counts: spot at quantity × mid, a perpetual at its unrealised profit. */
export interface Exposure {
  /** Signed base units. */
  readonly quantity: number;
  /** Signed quote cost of the quantity; 0 on spot, whose cost has left the cash. */
  readonly cost: number;
}

export class EquityTracker {
  readonly #pointsMax: number;
  #curve: EquityCurve;
  readonly #holdings = new Map<string, Holding>();
  #cash = 0;
  #equity = 0;
  #costs = 0;

  constructor(pointsMax = Infinity) {
    this.#pointsMax = pointsMax;
    this.#curve = new EquityCurve(pointsMax);
  }

  /** All of the account at once: after a fill, a grant, funding. Unmarked symbols count as 0 until their first mid. */
  set(cash: number, exposures: ReadonlyMap<string, Exposure>): void {
    this.#cash = cash;
    this.#costs = 0;
    for (const holding of this.#holdings.values()) holding.quantity = 0;
    for (const [symbol, { quantity, cost }] of exposures) {
      this.#costs += cost;
      const holding = this.#holdings.get(symbol);
      if (holding === undefined) this.#holdings.set(symbol, { quantity, mid: Number.NaN });
      else holding.quantity = quantity;
    }
    this.#revalue();
  }

  /** A new mid. Cheap when nothing of the symbol is held. */
  mark(atMs: number, symbol: string, mid: number): void {
    const holding = this.#holdings.get(symbol);
    if (holding === undefined) {
      this.#holdings.set(symbol, { quantity: 0, mid });
      return;
    }
    const before = holding.mid;
    holding.mid = mid;
    if (holding.quantity === 0) return;
    if (Number.isNaN(before)) this.#revalue();
    else this.#equity += holding.quantity * (mid - before);
    this.#curve.add(atMs, this.#equity);
  }

  /** Fixes a point: after a fill, funding or liquidation, and at start and end. */
  point(atMs: number): void {
    this.#revalue();
    this.#curve.fix(atMs, this.#equity);
  }

  /** Begins the curve anew; marks stay. */
  restart(): void {
    this.#curve = new EquityCurve(this.#pointsMax);
  }

  /** As of its curve. */
  get stretchMs(): number {
    return this.#curve.stretchMs;
  }

  get equity(): number {
    return this.#equity;
  }

  series(): Series {
    return this.#curve.series();
  }

  #revalue(): void {
    let equity = this.#cash - this.#costs;
    for (const { quantity, mid } of this.#holdings.values()) {
      if (quantity !== 0 && !Number.isNaN(mid)) equity += quantity * mid;
    }
    this.#equity = equity;
  }
}
