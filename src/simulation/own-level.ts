/**
 * The own orders at one price and their place among the others there (rules M3, M4, M6). Used by `matching.ts` alone.
 *
 *   front of the queue                                             back
 *   ├── others: front(o1) ──┤ o1 ├── others: front(o2) - front(o1) ──┤ o2 ├── others ──┤
 *
 * Invariant: fronts never fall from one own order to the next.
 */
import type { QueueModel } from './queue.ts';
import type { PastChange, WorkingOrder } from './working-order.ts';

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

/** Of one netting window; beyond it the oldest change counts as not explained by a print. */
const PAST_MAX = 256;

export class OwnLevel {
  readonly ticks: number;
  readonly orders: WorkingOrder[] = [];
  /** Displayed lots of others at this price as last seen. */
  displayed: number;
  /** True when something was printed here since the displayed quantity last changed. */
  printed = false;

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
    order.past = last === undefined ? [] : inheritedPast(last, order.front);
    this.orders.push(order);
  }

  /** M6: the displayed quantity was stated anew. */
  restated(next: number, us: number, model: QueueModel, nettingUs: number): void {
    let floor = 0;
    for (const order of this.orders) {
      restateOrder(order, { us, before: this.displayed, after: next }, model, nettingUs);
      if (order.front < floor) order.front = floor;
      floor = order.front;
    }
    this.displayed = next;
    this.printed = false;
  }

  /** A book that starts again from updates alone does not show this price yet: nothing is learnt from that (T5). */
  unseen(): void {
    this.displayed = 0;
    this.printed = false;
    for (const order of this.orders) order.past = [];
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
    let left = lots;
    let eaten = 0;
    this.printed = true;
    for (const order of this.orders) if (order.past.length > 0) rewind(order, us - nettingUs);
    for (const order of this.orders) {
      if (rule === 'alone') {
        left = lots;
        eaten = 0;
      }
      const others = Math.min(left, Math.max(0, order.front - eaten));
      eaten += others;
      left -= others;
      if (left <= EPSILON) break;
      const filled = filledBy(left, order.lots, rule);
      left = Math.max(0, left - filled);
      if (filled > 0) fill(order, filled);
    }
    let floor = 0;
    for (const order of this.orders) {
      order.front = Math.max(0, order.front - (rule === 'alone' ? lots : eaten));
      order.traded += order.past.length > 0 ? redo(order, lots, model) : lots;
      if (order.front < floor) order.front = floor;
      floor = order.front;
    }
  }
}

function restateOrder(
  order: WorkingOrder,
  change: Pick<PastChange, 'us' | 'before' | 'after'>,
  model: QueueModel,
  nettingUs: number,
): void {
  const { us, before, after } = change;
  const { front, traded, past } = order;
  order.front = model(front, before, after, traded);
  order.traded = 0;
  if (nettingUs === 0) {
    if (past.length > 0) order.past = [];
    return;
  }
  while (past.length >= PAST_MAX || (past.length > 0 && past[0]!.us < us - nettingUs)) past.shift();
  // What a print cannot explain matters only behind what it can.
  if (past.length > 0 || before - after > traded) past.push({ us, before, after, frontBefore: front, traded });
}

/** What is left of a change for prints to come to explain. */
function unexplained({ before, after, traded }: PastChange): number {
  return Math.max(0, before - after - traded);
}

/** Undoes what followed the oldest decrease since `fromUs` that a print may explain, that decrease included. */
function rewind(order: WorkingOrder, fromUs: number): void {
  const { past } = order;
  let index = 0;
  while (index < past.length && (past[index]!.us < fromUs || unexplained(past[index]!) === 0)) index += 1;
  if (index > 0) past.splice(0, index);
  if (past.length > 0) order.front = past[0]!.frontBefore;
}

/** Does again what `rewind` undid, each decrease less what the print explains of it. Answers what it explains of none. */
function redo(order: WorkingOrder, lots: number, model: QueueModel): number {
  let left = lots;
  for (const change of order.past) {
    const explained = Math.min(left, unexplained(change));
    left -= explained;
    change.traded += explained;
    change.frontBefore = order.front;
    order.front = model(order.front, change.before, change.after, change.traded);
  }
  return left;
}

/** A decrease from before an order joined was ahead of it: a late print that explains it changes nothing for the order. */
function inheritedPast(last: WorkingOrder, front: number): PastChange[] {
  const past: PastChange[] = [];
  let after = front;
  for (const change of last.past.toReversed()) {
    const size = unexplained(change);
    if (size === 0) continue;
    past.unshift({ us: change.us, before: after + size, after, frontBefore: after + size, traded: 0 });
    after += size;
  }
  return past;
}

function filledBy(left: number, lots: number, rule: PrintRule): number {
  if (rule === 'partial') return Math.min(lots, Math.floor(left + EPSILON));
  return left >= 0.5 - EPSILON ? lots : 0;
}
