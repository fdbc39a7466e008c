/**
 * The own orders at one price and their place among the others there (rules M3, M4, M6). Used by `matching.ts` alone.
 *
 *   front of the queue                                             back
 *   ├── others: front(o1) ──┤ o1 ├── others: front(o2) - front(o1) ──┤ o2 ├── others ──┤
 *
 * Invariant: fronts never fall from one own order to the next.
 */
import type { QueueModel } from './queue.ts';
import type { WorkingOrder } from './working-order.ts';

/** How a print at the price fills orders (rule M7). */
export type PrintRule =
  /** Shared queue, no more than was printed. */
  | 'partial'
  /** Shared queue, an order that is reached by half a lot fills whole. */
  | 'whole'
  /** As `whole`, each order as if it were alone (mode `hft`). */
  | 'alone';

/** Guards against the last bit of fractional fronts. */
const EPSILON = 1e-9;

export class OwnLevel {
  readonly ticks: number;
  readonly orders: WorkingOrder[] = [];
  /** Displayed lots of others at this price as last seen. */
  displayed: number;
  /** True when something was printed here since the displayed quantity last changed. */
  printed = false;
  #decreaseUs = Number.NEGATIVE_INFINITY;

  constructor(ticks: number, displayed: number) {
    this.ticks = ticks;
    this.displayed = displayed;
  }

  /** M3: behind the displayed quantity and behind own earlier orders. `known` false: the data does not show this price. */
  join(order: WorkingOrder, known: boolean): void {
    const last = this.orders.at(-1);
    const displayed = known ? this.displayed : Infinity;
    order.front = last === undefined ? displayed : Math.max(displayed, last.front);
    order.joinedBehind = order.front;
    order.traded = 0;
    // A decrease from before it joined was ahead of it; a late print that explains it changes nothing for this order.
    const unexplained = last?.unexplained ?? 0;
    order.unexplained = unexplained;
    order.frontBefore = order.front + unexplained;
    order.displayedBefore = this.displayed + unexplained;
    order.tradedBefore = 0;
    this.orders.push(order);
  }

  /** M6: the displayed quantity was stated anew. */
  restated(next: number, us: number, model: QueueModel, nettingUs: number): void {
    const previous = this.displayed;
    const nets = nettingUs > 0 && us - this.#decreaseUs <= nettingUs;
    let floor = 0;
    let decreased = false;
    for (const order of this.orders) {
      restateOrder(order, previous, next, nets, model);
      if (order.unexplained > 0) decreased = true;
      if (order.front < floor) order.front = floor;
      floor = order.front;
    }
    if (decreased) this.#decreaseUs = us;
    this.displayed = next;
    this.printed = false;
  }

  /** A book that starts again from updates alone does not show this price yet: nothing is learnt from that (T5). */
  unseen(): void {
    this.displayed = 0;
    this.printed = false;
    for (const order of this.orders) order.unexplained = 0;
  }

  /** M4: a print of the opposite aggressor at this price eats the queue from the front. */
  print(
    lots: number,
    us: number,
    rule: PrintRule,
    model: QueueModel,
    nettingUs: number,
    fill: (order: WorkingOrder, lots: number) => void,
  ): void {
    const nets = nettingUs > 0 && us - this.#decreaseUs <= nettingUs;
    let left = lots;
    let eaten = 0;
    this.printed = true;
    for (const order of this.orders) {
      const front = nets && order.unexplained > 0 ? order.frontBefore : order.front;
      if (rule === 'alone') {
        left = lots;
        eaten = 0;
      }
      const others = Math.min(left, Math.max(0, front - eaten));
      eaten += others;
      left -= others;
      if (left <= EPSILON) break;
      const filled = filledBy(left, order.lots, rule);
      left = Math.max(0, left - filled);
      if (filled > 0) fill(order, filled);
    }
    let floor = 0;
    for (const order of this.orders) {
      this.#eat(order, lots, rule === 'alone' ? lots : eaten, nets, model);
      if (order.front < floor) order.front = floor;
      floor = order.front;
    }
  }

  /** Books a print on an order's place; a decrease that the print explains is undone and done again without it. */
  #eat(order: WorkingOrder, lots: number, eaten: number, nets: boolean, model: QueueModel): void {
    const explained = nets ? Math.min(lots, order.unexplained) : 0;
    order.traded += lots - explained;
    if (explained === 0) {
      order.front = Math.max(0, order.front - eaten);
      if (order.unexplained > 0) order.frontBefore = Math.max(0, order.frontBefore - eaten);
      return;
    }
    order.frontBefore = Math.max(0, order.frontBefore - eaten);
    order.tradedBefore += explained;
    order.unexplained -= explained;
    order.front = model(order.frontBefore, order.displayedBefore, this.displayed, order.tradedBefore);
  }
}

function restateOrder(order: WorkingOrder, previous: number, next: number, nets: boolean, model: QueueModel): void {
  if (nets && order.unexplained > 0 && next < previous) {
    // A second decrease soon after the first: both may be explained by the prints to come.
    order.tradedBefore += order.traded;
  } else {
    order.frontBefore = order.front;
    order.displayedBefore = previous;
    order.tradedBefore = order.traded;
  }
  order.front = model(order.frontBefore, order.displayedBefore, next, order.tradedBefore);
  order.unexplained = Math.max(0, order.displayedBefore - next - order.tradedBefore);
  order.traded = 0;
}

function filledBy(left: number, lots: number, rule: PrintRule): number {
  if (rule === 'partial') return Math.min(lots, Math.floor(left + EPSILON));
  return left >= 0.5 - EPSILON ? lots : 0;
}
