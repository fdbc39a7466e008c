/**
 * Own orders by intent, ref and venue order id, and the live ones per symbol. The newest `CLOSED_KEPT` closed ones stay
 * with their trade ids. A fill of an older one raises an alarm and is not booked.
 */
import { NumberedIndex } from '../../model/numbered-index.ts';
import { isSettled } from './order-machine.ts';
import type { OwnOrder } from './own-order.ts';

interface FiledOrders {
  readonly live: readonly (readonly [symbol: string, orders: readonly OwnOrder[]])[];
  readonly closed: readonly OwnOrder[];
  readonly forgottenTo: number;
}

const CLOSED_KEPT = 20_000;

const NO_ORDERS: readonly OwnOrder[] = Object.freeze([]);

export class OwnOrders {
  readonly #byIntent = new NumberedIndex<OwnOrder>();
  readonly #byOrderId = new NumberedIndex<OwnOrder>();
  readonly #byRef = new Map<string, NumberedIndex<OwnOrder>>();
  readonly #liveBySymbol = new Map<string, OwnOrder[]>();
  readonly #liveLists: OwnOrder[][] = [];
  /** Oldest first; forgotten ones are undefined until a batch is removed. */
  #closed: (OwnOrder | undefined)[] = [];
  #closedFrom = 0;
  #forgottenTo = 0;

  add(order: OwnOrder): void {
    this.#index(order);
    this.#liveOf(order.instrument.symbol).push(order);
  }

  byIntent(intentId: string): OwnOrder | undefined {
    return this.#byIntent.get(intentId);
  }

  byOrderId(orderId: string): OwnOrder | undefined {
    return this.#byOrderId.get(orderId);
  }

  byRef(strategy: string, ref: string): OwnOrder | undefined {
    return this.#byRef.get(strategy)?.get(ref);
  }

  /** False when the order or the id is bound to another. */
  bind(order: OwnOrder, orderId: string): boolean {
    if (order.orderId !== undefined) return order.orderId === orderId;
    if (this.#byOrderId.has(orderId)) return false;
    order.orderId = orderId;
    this.#byOrderId.set(orderId, order);
    return true;
  }

  /** Not closed, or with unbooked fills. Do not keep the array. */
  live(symbol: string): readonly OwnOrder[] {
    return this.#liveBySymbol.get(symbol) ?? NO_ORDERS;
  }

  /** Do not keep the array. */
  allLive(): readonly OwnOrder[] {
    return this.#liveLists.length === 1 ? this.#liveLists[0]! : this.#liveLists.flat();
  }

  symbols(): Iterable<string> {
    return this.#liveBySymbol.keys();
  }

  /** Closed orders, oldest first. */
  *remembered(): Generator<OwnOrder> {
    for (let index = this.#closedFrom; index < this.#closed.length; index++) {
      const order = this.#closed[index];
      if (order !== undefined) yield order;
    }
  }

  /** Exchange time of the newest fill of any forgotten order, Unix ms. An earlier trade may be own. */
  get forgottenTo(): number {
    return this.#forgottenTo;
  }

  /** Call after each change of the order's progress. */
  refile(order: OwnOrder): void {
    const live = this.#liveBySymbol.get(order.instrument.symbol);
    if (live === undefined) return;
    const at = live.indexOf(order);
    if (isSettled(order.progress)) {
      if (at < 0) return;
      live.copyWithin(at, at + 1);
      live.pop();
      // The previous order's texts were published and are rarely needed again.
      const before = this.#closed.at(-1);
      if (before !== undefined) before.filledAs = null;
      this.#closed.push(order);
      this.#forgetOld();
    } else if (at < 0) {
      // A correction, or a late report with fills to come, made it live again.
      const was = this.#closed.lastIndexOf(order);
      if (was >= 0) this.#closed.splice(was, 1);
      live.push(order);
    }
  }

  saved(): FiledOrders {
    return { live: [...this.#liveBySymbol], closed: [...this.remembered()], forgottenTo: this.#forgottenTo };
  }

  static of({ live, closed, forgottenTo }: FiledOrders): OwnOrders {
    const orders = new OwnOrders();
    for (const [symbol, ofSymbol] of live) orders.#liveOf(symbol).push(...ofSymbol);
    orders.#closed.push(...closed);
    orders.#forgottenTo = forgottenTo;
    for (const order of [...closed, ...orders.allLive()]) orders.#index(order);
    return orders;
  }

  #index(order: OwnOrder): void {
    this.#byIntent.set(order.intentId, order);
    let refs = this.#byRef.get(order.strategy);
    if (refs === undefined) this.#byRef.set(order.strategy, (refs = new NumberedIndex()));
    refs.set(order.ref, order);
    if (order.orderId !== undefined) this.#byOrderId.set(order.orderId, order);
  }

  #liveOf(symbol: string): OwnOrder[] {
    let live = this.#liveBySymbol.get(symbol);
    if (live === undefined) {
      this.#liveBySymbol.set(symbol, (live = []));
      this.#liveLists.push(live);
    }
    return live;
  }

  #forgetOld(): void {
    while (this.#closed.length - this.#closedFrom > CLOSED_KEPT) {
      const old = this.#closed[this.#closedFrom];
      this.#closed[this.#closedFrom++] = undefined;
      if (old === undefined) continue;
      this.#forgottenTo = Math.max(this.#forgottenTo, old.filledTo);
      this.#byIntent.delete(old.intentId);
      this.#byRef.get(old.strategy)?.delete(old.ref);
      if (old.orderId !== undefined) this.#byOrderId.delete(old.orderId);
    }
    if (this.#closedFrom > CLOSED_KEPT) {
      this.#closed = this.#closed.slice(this.#closedFrom);
      this.#closedFrom = 0;
    }
  }
}
