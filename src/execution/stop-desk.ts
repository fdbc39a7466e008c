/**
 * Ends a strategy by its stop policy (`leave | cancel | flatten`): from then on its actions are denied; a `stopped`
 * event says that nothing of it works any more and every trade that was told is booked, but for orders of unknown fate,
 * which stay the reconciler's.
 */
import type { StopPolicy } from '../model/action.ts';
import type { Core, Desk } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { StrategySlot } from './executor-types.ts';
import type { FlattenDesk } from './flatten-desk.ts';
import type { TreasuryRoom } from './treasury/room.ts';

export class StopDesk implements Desk {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #flatten: FlattenDesk;
  readonly #treasury: TreasuryRoom;
  readonly #ending = new Set<string>();

  constructor(core: Core, dispatcher: Dispatcher, flatten: FlattenDesk, treasury: TreasuryRoom) {
    this.#core = core;
    this.#treasury = treasury;
    this.#dispatcher = dispatcher;
    this.#flatten = flatten;
  }

  stop(slot: StrategySlot, policy: StopPolicy): void {
    const core = this.#core;
    const { tag } = slot;
    core.stopping.add(tag);
    this.#ending.add(tag);
    if (policy === 'leave') {
      this.#finish(tag);
      return;
    }
    this.#dispatcher.cancel(
      [...core.state.orders.allLive()].filter((order) => order.strategy === tag && order.origin !== 'flatten'),
      true,
    );
    this.#treasury.withdraw(tag);
    if (policy === 'flatten') this.#flatten.flatten(slot);
    core.workWanted = true;
  }

  work(): void {
    if (this.#ending.size === 0) return;
    for (const tag of this.#ending) if (!this.#works(tag)) this.#finish(tag);
  }

  #works(tag: string): boolean {
    if (this.#flatten.busy(tag) || this.#treasury.busy(tag)) return true;
    for (const order of this.#core.state.orders.allLive()) {
      if (order.strategy === tag && order.progress.state !== 'unknown') return true;
    }
    return false;
  }

  #finish(tag: string): void {
    this.#ending.delete(tag);
    this.#core.turn.emit(Object.freeze({ kind: 'stopped', strategy: tag }));
  }
}
