/**
 * Withdraws resting reductions that have outlived what they were to reduce. On a perpetual the exchange cancels a
 * reduce-only order that would open; on spot, and where strategies hold against each other, it sees no reduction, and the
 * order would open a position that no limit and no closed gate has judged. Looked at whenever a position has moved: of the
 * reductions of a strategy, symbol and side the oldest stay as far as the position goes. What is at the exchange and does
 * not rest cannot be called back.
 */
import type { Core, Worker } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import { isClosed, reservedLots } from '../spine/orders/order-machine.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';

/** A fee in base leaves fractions of a lot. */
const ROUNDING = 1e-9;

const NONE: readonly OwnOrder[] = Object.freeze([]);

export class ReductionHandler implements Worker {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;

  constructor(core: Core, dispatcher: Dispatcher) {
    this.#core = core;
    this.#dispatcher = dispatcher;
  }

  work(): void {
    const { moved } = this.#core;
    if (moved.size === 0) return;
    for (const symbol of moved) {
      moved.delete(symbol);
      const excess = this.#excessOf(symbol);
      if (excess.length > 0) this.#dispatcher.cancel(excess, true);
    }
  }

  #excessOf(symbol: string): readonly OwnOrder[] {
    const { orders, positions } = this.#core.state;
    const live = orders.live(symbol);
    if (!live.some(({ reduceOnly }) => reduceOnly)) return NONE;
    const left = new Map<string, number>();
    const excess: OwnOrder[] = [];
    for (const order of live) {
      if (!order.reduceOnly || order.cancelWanted || isClosed(order.progress)) continue;
      const { strategy, positionSide, sign, progress } = order;
      const key = `${strategy} ${positionSide} ${sign}`;
      const reducible = left.get(key) ?? -sign * positions.lots(strategy, symbol, positionSide);
      const lots = reservedLots(progress);
      const rests = order.request.timeInForce !== 'ioc' || !progress.sent;
      if (rests && lots > reducible + ROUNDING) excess.push(order);
      else left.set(key, reducible - lots);
    }
    return excess;
  }
}
