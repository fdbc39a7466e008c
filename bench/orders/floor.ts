/**
 * The floor of the bench of orders: the way of an order through a bare pipeline in integers, on one array for each stage and
 * without a rule that is not arithmetic. Decide, judge, write an entry, wait for the latency in a heap, admit, lock, match,
 * settle, report, wait, apply, publish through a Subject, keep a row. Nothing of tidewire is in it.
 */
import { Subject } from 'rxjs';

interface Order {
  readonly id: number;
  readonly buys: boolean;
  readonly ticks: number;
  readonly lots: number;
  filled: number;
  state: 'sent' | 'open' | 'filled' | 'canceled';
}

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** A binary heap by time. */
class Heap {
  readonly #due: Due[] = [];

  push(due: Due): void {
    const heap = this.#due;
    let at = heap.push(due) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.at <= due.at) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = due;
  }

  runUntil(time: number): void {
    while (this.#due.length > 0 && this.#due[0]!.at <= time) this.#pop().run();
  }

  #pop(): Due {
    const heap = this.#due;
    const first = heap[0]!;
    const last = heap.pop()!;
    const { length } = heap;
    if (length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && heap[child + 1]!.at < heap[child]!.at) child += 1;
      if (heap[child]!.at >= last.at) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const LATENCY = 25;
const ROWS_MAX = 100_000;
const FEE_PARTS = 5;
const FEE_WHOLE = 10_000;

/** Microseconds an order of each kind, over `orders` of them. */
export function floorUs(kind: 'cancel' | 'fill', orders: number): number {
  const heap = new Heap();
  const open = new Map<number, Order>();
  const updates = new Subject<Order>();
  const journal: object[] = [];
  const rows: object[] = [];
  let now = 0;
  let available = 100_000_000_000;
  let locked = 0;
  let position = 0;
  let reserved = 0;
  let seen = 0;
  updates.subscribe(({ filled }) => (seen += filled));
  const keep = (into: object[], row: object): void => {
    if (into.length === ROWS_MAX) into.length = 0;
    into.push(row);
  };
  const tell = (order: Order, state: Order['state']): void => {
    heap.push({
      at: now + LATENCY,
      run: () => {
        order.state = state;
        if (state !== 'open') reserved -= order.lots;
        keep(journal, { kind: 'order', id: order.id, state });
        updates.next(order);
        keep(rows, { id: order.id, ticks: order.ticks, lots: order.lots, filled: order.filled, state });
      },
    });
  };
  const arrive = (order: Order): void => {
    const value = order.ticks * order.lots;
    if (order.lots <= 0 || value > available) return;
    if (kind === 'cancel') {
      available -= value;
      locked += value;
      open.set(order.id, order);
      return tell(order, 'open');
    }
    const fee = Math.floor((value * FEE_PARTS) / FEE_WHOLE);
    available -= (order.buys ? value : -value) + fee;
    position += order.buys ? order.lots : -order.lots;
    order.filled = order.lots;
    keep(journal, { kind: 'fill', id: order.id, ticks: order.ticks, lots: order.lots, fee });
    tell(order, 'filled');
  };
  const leave = (id: number): void => {
    const order = open.get(id);
    if (order === undefined) return;
    open.delete(id);
    available += order.ticks * order.lots;
    locked -= order.ticks * order.lots;
    tell(order, 'canceled');
  };
  const started = performance.now();
  for (let id = 1; id <= orders; id++) {
    now += 100;
    heap.runUntil(now);
    const order: Order = { id, buys: id % 2 === 1, ticks: 600_000 + (id % 100), lots: 1, filled: 0, state: 'sent' };
    if (Math.abs(position) + reserved + order.lots > 1_000) continue;
    reserved += order.lots;
    keep(journal, { kind: 'intent', id, ticks: order.ticks, lots: order.lots });
    heap.push({ at: now + LATENCY, run: () => arrive(order) });
    if (kind === 'cancel') heap.push({ at: now + LATENCY + 1, run: () => leave(id - 1) });
  }
  heap.runUntil(Infinity);
  const us = ((performance.now() - started) * 1000) / orders;
  if (seen < 0 || locked < 0) throw new Error('the bare pipeline lost count');
  return us;
}
