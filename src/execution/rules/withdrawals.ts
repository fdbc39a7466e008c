/**
 * Cancels what may not stay, after each piece of work.
 *
 * - Orders of new risk in a halted symbol, or of a strategy that was latched, paused or stopped by a protection.
 * - Resting reductions beyond the position after it moved, or after the list of own trades has contradicted it; the
 *   oldest stay. On spot, and where strategies hold opposite positions, the exchange knows no reduction: such an order
 *   would open a position that no limit has judged.
 */
import type { Core } from '../core.ts';
import type { Dispatcher } from '../dispatcher.ts';
import { EPSILON } from '../../risk/facts.ts';
import { heldMore } from '../../spine/orders/fill-check.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { StateView } from '../../spine/trading-state.ts';

const NONE: readonly OwnOrder[] = Object.freeze([]);

/** Drops a strategy's standing wishes, in one symbol or in all. `quotes`: keeps targets, which may be exits. */
export type Forget = (what: 'all' | 'quotes', strategy: string, symbol?: string) => void;

export class Withdrawals {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #forget: Forget;

  constructor(core: Core, dispatcher: Dispatcher, forget: Forget) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#forget = forget;
  }

  work(): void {
    const { barred, shut, moved } = this.#core.news;
    if (barred.size + shut.size + moved.size === 0) return;
    for (const [tag, where] of barred) {
      barred.delete(tag);
      for (const symbol of where === 'all' ? [undefined] : where) this.#bar(tag, symbol);
    }
    for (const symbol of shut) {
      shut.delete(symbol);
      for (const tag of this.#core.slots.keys()) this.#forget('all', tag, symbol);
      this.#cancelRisk(this.#core.state.orders.live(symbol));
    }
    for (const symbol of moved) {
      moved.delete(symbol);
      const excess = this.#excessOf(symbol);
      if (excess.length > 0) this.#dispatcher.cancel(excess, true);
    }
  }

  #bar(tag: string, symbol: string | undefined): void {
    const { orders } = this.#core.state;
    this.#forget('quotes', tag, symbol);
    const live = symbol === undefined ? orders.allLive() : orders.live(symbol);
    this.#cancelRisk(live.filter(({ strategy }) => strategy === tag));
  }

  #cancelRisk(orders: readonly OwnOrder[]): void {
    this.#dispatcher.cancel(
      orders.filter(({ exits }) => !exits),
      true,
    );
  }

  #excessOf(symbol: string): readonly OwnOrder[] {
    const { state } = this.#core;
    const { orders, positions } = state;
    const live = orders.live(symbol);
    if (!live.some(({ reduceOnly }) => reduceOnly)) return NONE;
    const left = new Map<string, number>();
    const excess: OwnOrder[] = [];
    for (const order of live) {
      if (!order.reduceOnly || order.cancelWanted || isClosed(order.progress)) continue;
      const { strategy, positionSide, sign, progress } = order;
      const key = `${strategy} ${positionSide} ${sign}`;
      const reducible =
        left.get(key) ?? -sign * positions.lots(strategy, symbol, positionSide) - overstatedLots(order, state);
      const lots = reservedLots(progress);
      const rests = order.request.timeInForce !== 'ioc' || !progress.sent;
      if (rests && lots > reducible + EPSILON) excess.push(order);
      else left.set(key, reducible - lots);
    }
    return excess;
  }
}

/**
 * Lots that the order would close by the books, but not by the list of own trades. On spot these may be coins of the user.
 * On perpetuals the exchange itself lets no reduce-only order close too much.
 */
function overstatedLots({ instrument, side, strategy }: OwnOrder, { contradicted, orders }: StateView): number {
  if (contradicted.size === 0 || instrument.market !== 'spot') return 0;
  let lots = 0;
  for (const entry of contradicted.values()) {
    const owner = orders.byIntent(entry.intentId)?.strategy ?? strategy;
    if (entry.fill.symbol !== instrument.symbol || owner !== strategy) continue;
    const more = heldMore(entry, instrument.base);
    if (more.isNegative() === (side === 'sell')) lots += instrument.lotsAsNumber(more.abs());
  }
  return lots;
}
