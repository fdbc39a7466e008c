/** Own resting orders of one side, best price first. The hot path reads only `bestTicks`. */
import { BID, type BookSide } from '../../model/market/market-event.ts';
import { OwnLevel } from './own-level.ts';
import type { WorkingOrder } from './working-order.ts';

export class OwnSide {
  readonly side: BookSide;
  readonly levels: OwnLevel[] = [];
  /** None: -Infinity (bids) or Infinity (asks). */
  bestTicks = Infinity;
  readonly #sign: 1 | -1;

  constructor(side: BookSide) {
    this.side = side;
    this.#sign = side === BID ? 1 : -1;
    this.bestTicks = -this.#sign * Infinity;
  }

  isBetter(ticks: number, other: number): boolean {
    return ticks * this.#sign > other * this.#sign;
  }

  levelAt(ticks: number): OwnLevel | undefined {
    for (const level of this.levels) if (level.ticks === ticks) return level;
    return undefined;
  }

  join(order: WorkingOrder, displayed: number, known: boolean): void {
    let level = this.levelAt(order.ticks);
    if (level === undefined) {
      level = new OwnLevel(order.ticks, displayed);
      let index = 0;
      while (index < this.levels.length && this.isBetter(this.levels[index]!.ticks, order.ticks)) index++;
      this.levels.splice(index, 0, level);
      this.#refresh();
    }
    level.join(order, known);
  }

  sweep(): void {
    for (let index = this.levels.length - 1; index >= 0; index--) {
      const { orders } = this.levels[index]!;
      for (let at = orders.length - 1; at >= 0; at--) if (!orders[at]!.open) orders.splice(at, 1);
      if (orders.length === 0) this.levels.splice(index, 1);
    }
    this.#refresh();
  }

  #refresh(): void {
    this.bestTicks = this.levels[0]?.ticks ?? -this.#sign * Infinity;
  }
}
