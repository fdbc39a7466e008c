/**
 * Own orders at one price and their queue positions.
 *
 *   front of the queue                                             back
 *   ├── others: front(o1) ──┤ o1 ├── others: front(o2) - front(o1) ──┤ o2 ├── others ──┤
 *
 * Invariant: fronts never fall from one own order to the next.
 */
import type { QueueModel } from './queue.ts';
import type { PastChange, WorkingOrder } from './working-order.ts';

export type PrintRule =
  /** Shared queue, at most the printed quantity. */
  | 'partial'
  /** Shared queue; an order reached by half a lot fills completely. */
  | 'whole'
  /** As `whole`, ignoring other own orders (mode `hft`). */
  | 'alone';

/** Tolerance of fractional fronts. */
const EPSILON = 1e-9;

/** Per netting window; older changes count as unexplained. */
const PAST_MAX = 256;

export class OwnLevel {
  readonly ticks: number;
  readonly orders: WorkingOrder[] = [];
  /** Lots of other orders, last seen. */
  displayed: number;
  /** A print since the displayed quantity last changed. */
  printed = false;

  constructor(ticks: number, displayed: number) {
    this.ticks = ticks;
    this.displayed = displayed;
  }

  /** Joins behind all. `known` false: the data does not show this price. */
  join(order: WorkingOrder, known: boolean): void {
    const last = this.orders.at(-1);
    const displayed = known ? this.displayed : Infinity;
    order.front = last === undefined ? displayed : Math.max(displayed, last.front);
    order.joinedBehind = order.front;
    order.traded = 0;
    order.past = last === undefined ? [] : inheritedPast(last, order.front);
    this.orders.push(order);
  }

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

  /** A book restarted from updates does not show this price yet. */
  unseen(): void {
    this.displayed = 0;
    this.printed = false;
    for (const order of this.orders) order.past = [];
  }

  /** An opposite aggressor consumes the queue from the front. */
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
  // An unexplained change matters only after an explainable one.
  if (past.length > 0 || before - after > traded) past.push({ us, before, after, frontBefore: front, traded });
}

/** The part of a change that later prints may still explain. */
function unexplained({ before, after, traded }: PastChange): number {
  return Math.max(0, before - after - traded);
}

/** Undoes changes since `fromUs`, from the oldest explainable decrease. */
function rewind(order: WorkingOrder, fromUs: number): void {
  const { past } = order;
  let index = 0;
  while (index < past.length && (past[index]!.us < fromUs || unexplained(past[index]!) === 0)) index += 1;
  if (index > 0) past.splice(0, index);
  if (past.length > 0) order.front = past[0]!.frontBefore;
}

/** Reapplies them less what the print explains; returns its unexplained rest. */
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

/** Decreases before an order joined were ahead of it; explaining them changes nothing. */
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
