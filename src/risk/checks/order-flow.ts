/** Value of the orders of a minute or an hour. A window is up to one slot longer than its name. */
import { denied, type Denied, type RiskFigure } from '../../model/deny-reason.ts';
import { figure } from '../figures.ts';
import { isWithin } from './within.ts';

const SLOTS = 60;

export class OrderFlow {
  readonly #sums = new Float64Array(SLOTS + 1);
  readonly #slotMs: number;
  readonly #name: string;
  #slot = Number.NEGATIVE_INFINITY;

  constructor(windowMs: number, name: 'minute' | 'hour') {
    this.#slotMs = windowMs / SLOTS;
    this.#name = name;
  }

  denial(now: number, value: number, max: number, whose: string): Denied | null {
    const sum = this.#sumWith(now, value);
    if (isWithin(sum, max)) return null;
    const message = `${whose} would have sent orders worth ${sum.toFixed(2)} in the last ${this.#name}, above ${max}`;
    return denied('order_flow', message);
  }

  figure(now: number, value: number, max: number, whose: string): RiskFigure {
    return figure('order_flow', `${whose}, ${this.#name}`, this.#sumWith(now, value), max);
  }

  count(now: number, value: number): void {
    this.#turn(now);
    const at = this.#slot % this.#sums.length;
    this.#sums[at] = (this.#sums[at] ?? 0) + value;
  }

  #sumWith(now: number, value: number): number {
    this.#turn(now);
    let sum = value;
    for (const slot of this.#sums) sum += slot;
    return sum;
  }

  #turn(now: number): void {
    const slot = Math.floor(now / this.#slotMs);
    if (slot <= this.#slot) return;
    const from = Math.max(this.#slot + 1, slot - this.#sums.length + 1);
    for (let gone = from; gone <= slot; gone++) this.#sums[gone % this.#sums.length] = 0;
    this.#slot = slot;
  }
}
