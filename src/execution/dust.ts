/** Notes once per position what no order can close: fractions of a lot, or less than the least order. */
import { decimalText } from '../model/money.ts';
import type { Core } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import { closableLots } from './holdings.ts';
import type { Placement } from './placement.ts';
import type { HeldPosition } from '../spine/positions.ts';

export interface ClosingDeps {
  readonly core: Core;
  readonly dispatcher: Dispatcher;
  readonly placement: Placement;
  readonly dust: Dust;
}

export class Dust {
  readonly #core: Core;
  readonly #said = new Set<HeldPosition>();

  constructor(core: Core) {
    this.#core = core;
  }

  say(held: HeldPosition | undefined): void {
    if (held === undefined || held.lots === 0 || this.#said.has(held) || closableLots(this.#core, held) > 0) return;
    this.#said.add(held);
    const { strategy, instrument, position, lots } = held;
    const least = Math.abs(lots) < 1 ? 'one lot' : 'the least order that the exchange takes';
    const what = instrument.market === 'spot' ? instrument.base : instrument.symbol;
    this.#core.note(strategy, `${decimalText(position.quantity)} ${what} is below ${least} and stays`);
  }
}
