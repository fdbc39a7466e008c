/**
 * Watches the positions of a strategy with `protect: true`. A position without a working or armed exit for longer than
 * `risk.unprotectedMs` raises one alarm. It stays listed until it has an exit or is closed (`protected`), as does any
 * position that an alarm has named.
 */
import type { UnprotectedAbout } from '../../model/entries/journal.ts';
import { bareKey } from '../../model/entries/risk-entries.ts';
import type { Side } from '../../model/trading/order.ts';
import type { Core } from '../core.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { HeldPosition } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { closableLots } from '../rules/holdings.ts';

/** Side of an exit of this position, signed lots. */
export function exitSide(lots: number): Side {
  return lots > 0 ? 'sell' : 'buy';
}

/** Lots of the position without an exit. `covered`: those that programs protect. */
export function bareLots(
  { orders }: Pick<StateView, 'orders'>,
  { strategy, instrument, lots }: Pick<HeldPosition, 'instrument' | 'lots' | 'strategy'>,
  covered: number,
): number {
  let exits = covered;
  for (const order of orders.live(instrument.symbol)) {
    if (order.strategy !== strategy || order.parent !== undefined || !order.reduceOnly) continue;
    if (order.sign * lots < 0 && !isClosed(order.progress)) exits += reservedLots(order.progress);
  }
  return Math.abs(lots) - exits;
}

type Covered = (strategy: string, symbol: string, side: Side) => number;

interface Watched {
  /** Unix ms since when. */
  readonly at: number;
  said: boolean;
  about: UnprotectedAbout;
}

export class Protection {
  readonly #core: Core;
  readonly #covered: Covered;
  /** By `bareKey`. */
  readonly #bare = new Map<string, Watched>();

  /** `covered`: lots that the strategy's programs protect. */
  constructor(core: Core, covered: Covered) {
    this.#core = core;
    this.#covered = covered;
    core.turn.listen((event) => {
      if (event.kind !== 'alarm' || event.about === undefined) return;
      const { about, ts } = event;
      this.#bare.set(bareKey(about), { at: ts, said: true, about });
    });
  }

  /** Alarmed positions that have no exit yet. */
  get unprotected(): readonly UnprotectedAbout[] {
    return [...this.#bare.values()].flatMap(({ said, about }) => (said ? [about] : []));
  }

  /** A position without an exit whose alarm is not raised yet. */
  get isPending(): boolean {
    return [...this.#bare.values()].some(({ said }) => !said);
  }

  /** Call about once a second. */
  look(): void {
    const core = this.#core;
    const open = new Set<string>();
    for (const held of core.state.positions.all()) {
      const { strategy, instrument } = held;
      const { symbol } = instrument;
      const key = bareKey({ strategy, symbol });
      const isNamed = core.state.unprotected.has(key);
      const protect = core.slots.get(strategy)?.protect === true;
      if ((!protect && !isNamed) || closableLots(core, held) === 0) continue;
      const bare = Math.floor(bareLots(core.state, held, this.#covered(strategy, symbol, exitSide(held.lots))) + 1e-9);
      if (bare < 1) continue;
      open.add(key);
      const about = { strategy, symbol, quantity: instrument.quantityText(bare) };
      const before = this.#bare.get(key);
      // The named position was closed since the last look.
      const known = before?.said === true && !isNamed ? undefined : before;
      this.#bare.set(key, known === undefined ? { at: core.now(), said: !protect, about } : { ...known, about });
      if (known === undefined || known.said || core.now() - known.at < core.deps.options.risk.unprotectedMs) continue;
      const what = `${about.quantity} of ${symbol} have had no exit for ${Math.round(core.now() - known.at)} ms`;
      core.alarm('unprotected', `${strategy}: ${what}`, about);
    }
    for (const key of this.#bare.keys()) if (!open.has(key)) this.#bare.delete(key);
    for (const [key, { strategy, symbol }] of core.state.unprotected)
      if (!open.has(key)) core.spine.commit({ kind: 'protected', strategy, symbol });
  }
}
