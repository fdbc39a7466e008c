/**
 * One price at which own orders rest, in the reference simulator: M3, M4 and M6 with exact decimals. Written from
 * simulation.md alone; docs/parity.md lists where its words leave a choice and which was taken.
 */
import { Decimal } from 'decimal.js';
import type { QueueRule } from './rules.ts';

export const Exact = Decimal.clone({ precision: 50, rounding: Decimal.ROUND_HALF_EVEN });
const ZERO = new Exact(0);
/** Fewer others than this ahead are nobody: cancels shrink a front to ever smaller fractions of a lot. */
const NOTHING = new Exact('1e-9');

/** A change of the displayed quantity, as an order that rested there saw it. */
interface PastChange {
  readonly us: number;
  readonly before: number;
  readonly after: number;
  readonly frontBefore: Decimal;
  /** Of the change: what was printed before it, and what prints after it have explained. */
  readonly traded: number;
  readonly explained: number;
}

export interface Resting {
  remaining: number;
  /** Others ahead of the order, not own ones (M3). */
  ahead: Decimal;
  /** Printed since the quantity changed last, as far as no decrease explains it. */
  traded: number;
  /** Changes since it joined that a print may still explain, oldest first. */
  past: readonly PastChange[];
}

export interface LevelFill<Order extends Resting> {
  readonly order: Order;
  readonly quantity: number;
}

export interface LevelRules {
  readonly queue: QueueRule;
  /** `whole`: half a lot fills an order; `alone`: and no order sees the others (mode `hft`). */
  readonly prints: 'partial' | 'whole' | 'alone';
  readonly nettingWindowUs: number;
}

export class ReferenceLevel<Order extends Resting> {
  orders: Order[] = [];
  readonly #rules: LevelRules;

  constructor(rules: LevelRules) {
    this.#rules = rules;
  }

  join(order: Order, displayed: number): void {
    order.ahead = Exact.max(displayed, this.orders.at(-1)?.ahead ?? 0);
    // A decrease from before it joined was ahead of it: the print that explains it changes nothing for this order.
    const open = this.orders.at(-1)?.past.filter((change) => openOf(change) > 0) ?? [];
    let later = ZERO;
    order.past = open
      .toReversed()
      .map((change): PastChange => {
        const size = openOf(change);
        const after = order.ahead.plus(later);
        later = later.plus(size);
        return {
          us: change.us,
          before: after.plus(size).toNumber(),
          after: after.toNumber(),
          frontBefore: after.plus(size),
          traded: 0,
          explained: 0,
        };
      })
      .toReversed();
    this.orders.push(order);
  }

  change(us: number, before: number, after: number, isRow: boolean): void {
    for (const order of this.orders) {
      if (before === after && !(isRow && order.traded > 0)) continue;
      const change = { us, before, after, frontBefore: order.ahead, traded: order.traded, explained: 0 };
      order.ahead = this.#front(change, order.ahead);
      order.past = this.#rules.nettingWindowUs === 0 ? [] : [...order.past, change];
      order.traded = 0;
    }
    this.#keepOrder();
  }

  print(us: number, quantity: number): LevelFill<Order>[] {
    for (const order of this.orders) this.#rewind(order, us);
    const { fills, others } = this.#eat(quantity);
    for (const order of this.orders) {
      order.ahead = Exact.max(0, order.ahead.minus(this.#rules.prints === 'alone' ? quantity : others));
      order.traded += this.#redo(order, quantity);
    }
    this.#keepOrder();
    return fills;
  }

  /** M3: the formula of M6 may carry a later order past an earlier one; who is ahead of that one is ahead of it too. */
  #keepOrder(): void {
    let least = ZERO;
    for (const order of this.orders) {
      order.ahead = Exact.max(order.ahead, least);
      least = order.ahead;
    }
  }

  /** Back to the state before the oldest decrease within the window of which a part is not explained. */
  #rewind(order: Order, us: number): void {
    const from = order.past.findIndex((change) => us - change.us <= this.#rules.nettingWindowUs && openOf(change) > 0);
    order.past = from < 0 ? [] : order.past.slice(from);
    order.ahead = order.past[0]?.frontBefore ?? order.ahead;
  }

  /** The changes once more, each decrease less what the print explains of it; answers what it explains of none. */
  #redo(order: Order, quantity: number): number {
    let rest = quantity;
    order.past = order.past.map((change) => {
      const explained = Math.min(rest, openOf(change));
      rest -= explained;
      const again = { ...change, frontBefore: order.ahead, explained: change.explained + explained };
      order.ahead = this.#front(again, order.ahead);
      return again;
    });
    return rest;
  }

  /** M4: others ahead, the first own order, others between, the next own order. */
  #eat(quantity: number): { readonly fills: LevelFill<Order>[]; readonly others: Decimal } {
    const { prints } = this.#rules;
    const fills: LevelFill<Order>[] = [];
    let rest = new Exact(quantity);
    let others = ZERO;
    for (const order of this.orders) {
      if (prints === 'alone') [rest, others] = [new Exact(quantity), ZERO];
      const taken = Exact.min(rest, Exact.max(0, order.ahead.minus(others)));
      rest = rest.minus(taken);
      others = others.plus(taken);
      const filled = prints === 'partial' ? partOf(order, rest) : rest.plus(NOTHING).gte(0.5) ? order.remaining : 0;
      if (filled > 0) fills.push({ order, quantity: filled });
      rest = Exact.max(0, rest.minus(filled));
    }
    return { fills, others };
  }

  /** M6: others ahead after a change. */
  #front({ before, after, traded, explained }: PastChange, front: Decimal): Decimal {
    const { queue } = this.#rules;
    const open = before - after - traded - explained;
    if (queue.model === 'risk-averse' || open < 0) return Exact.min(front, after);
    const back = Exact.max(0, new Exact(before).minus(front));
    const p = probability(queue, front, back);
    const behind = new Exact(1).minus(p).times(open);
    const beyond = Exact.min(back.minus(p.times(open)), 0);
    // Rounded well above the last digit: what is whole by the formula stays whole when p is irrational.
    const estimate = front.minus(behind).plus(beyond).toDecimalPlaces(25);
    return Exact.max(0, Exact.min(estimate, after));
  }
}

/** Of a decrease: what no print has explained. */
function openOf({ before, after, traded, explained }: PastChange): number {
  return Math.max(0, before - after - traded - explained);
}

/** Fills are whole units of quantity; what is less than one fills nothing. */
function partOf({ remaining }: Resting, rest: Decimal): number {
  return Math.min(remaining, rest.plus(NOTHING).floor().toNumber());
}

function probability(queue: Extract<QueueRule, { model: 'prob' }>, front: Decimal, back: Decimal): Decimal {
  const f = (x: Decimal): Decimal => (queue.f === 'power' ? x.pow(queue.n) : x.plus(1).ln());
  const total = front.plus(back);
  let p: Decimal;
  if (queue.p === 'share') p = f(back).div(f(back).plus(f(front)));
  else if (queue.p === 'total') p = f(back).div(f(total));
  else p = new Exact(1).minus(f(front.div(total)));
  return p.isFinite() ? p : new Exact(1);
}
