/**
 * The watch over what a strategy holds (`protect: true` of its file): a position without an exit that works or is armed
 * for longer than `risk.unprotectedMs` raises an alarm, once each time.
 */
import type { Core } from './core.ts';
import { isClosed, reservedLots } from '../spine/orders/order-machine.ts';
import { closableLots } from './holdings.ts';

export class Protection {
  readonly #core: Core;
  readonly #covered: (strategy: string, symbol: string) => number;
  /** `strategy symbol` → Unix ms since when, and whether it was said. */
  readonly #since = new Map<string, { readonly at: number; said: boolean }>();

  /** `covered`: lots that the strategy's programs protect. */
  constructor(core: Core, covered: (strategy: string, symbol: string) => number) {
    this.#core = core;
    this.#covered = covered;
  }

  /** Call about once a second. */
  look(): void {
    const core = this.#core;
    const open = new Set<string>();
    for (const held of core.state.positions.all()) {
      const { strategy, instrument, lots } = held;
      if (core.slots.get(strategy)?.protect !== true || closableLots(core, held) === 0) continue;
      const { symbol } = instrument;
      const bare = Math.abs(lots) - this.#exits(strategy, symbol, lots > 0 ? -1 : 1);
      if (bare < 1) continue;
      const key = `${strategy} ${symbol}`;
      open.add(key);
      const since = this.#since.get(key) ?? { at: core.now(), said: false };
      this.#since.set(key, since);
      if (since.said || core.now() - since.at < core.deps.options.risk.unprotectedMs) continue;
      since.said = true;
      const what = `${instrument.quantityText(Math.floor(bare))} of ${symbol} have no exit`;
      core.alarm('unprotected', `${strategy}: ${what} for ${Math.round(core.now() - since.at)} ms`);
    }
    for (const key of this.#since.keys()) if (!open.has(key)) this.#since.delete(key);
  }

  #exits(strategy: string, symbol: string, sign: 1 | -1): number {
    let lots = this.#covered(strategy, symbol);
    for (const order of this.#core.state.orders.live(symbol)) {
      const isExit = order.strategy === strategy && order.parent === undefined && order.reduceOnly;
      if (isExit && order.sign === sign && !isClosed(order.progress)) lots += reservedLots(order.progress);
    }
    return lots;
  }
}
