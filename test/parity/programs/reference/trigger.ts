/** Fixed and trailing triggers by the words of the contract; prices in ticks. */
import type { Desk, Side } from '../desk.ts';

export type Source = 'last' | 'mid' | 'bid-ask';

/** The default is the side that the exit trades at. Null while unknown. */
export function priceOf(desk: Desk, side: Side, by: Source = 'bid-ask'): number | null {
  const { bid, ask, last } = desk.touch();
  if (by === 'last') return last;
  if (by === 'mid') return (bid + ask) / 2;
  return side === 'sell' ? bid : ask;
}

/** A sale fires at or below its trigger, a buy at or above. */
export function fires(side: Side, price: number, trigger: number): boolean {
  return side === 'sell' ? price <= trigger : price >= trigger;
}

/** Away from the entry by whole ticks, never nearer than the bps. */
export function awayBy(price: number, bps: number, isUp: boolean): number {
  const exact = price * (1 + ((isUp ? 1 : -1) * bps) / 10_000);
  return isUp ? Math.ceil(exact - 1e-7) : Math.floor(exact + 1e-7);
}

export interface TrailTerms {
  readonly distance?: number;
  readonly bps?: number;
  readonly activation?: number;
  readonly step?: number;
}

/** Follows the best price at a distance, by whole steps, from the activation on. */
export class Trail {
  trigger: number | undefined;
  #best: number | undefined;
  readonly #side: Side;
  readonly #terms: TrailTerms;

  constructor(side: Side, terms: TrailTerms) {
    this.#side = side;
    this.#terms = terms;
  }

  /** True when it fires. */
  see(price: number): boolean {
    const { distance, bps, activation, step = 1 } = this.#terms;
    const sign = this.#side === 'sell' ? 1 : -1;
    if (this.#best === undefined && activation !== undefined && sign * (price - activation) < 0) return false;
    if (this.#best === undefined || sign * (price - this.#best) > 0) this.#best = price;
    const wanted = distance === undefined ? awayBy(this.#best, bps ?? 0, sign < 0) : this.#best - sign * distance;
    this.trigger ??= sign > 0 ? Math.floor(wanted) : Math.ceil(wanted);
    const gain = sign * (wanted - this.trigger);
    if (gain >= step) this.trigger += sign * Math.floor(gain / step) * step;
    return fires(this.#side, price, this.trigger);
  }
}
