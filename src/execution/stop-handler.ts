/**
 * Ends a strategy by its stop policy. `leave` emits `stopped` at once; the others when nothing works and all told
 * trades are booked. Unknown orders are left to the reconciler.
 */
import type { StopPolicy } from '../model/action.ts';
import type { Core, Worker } from './core.ts';
import type { Dispatcher } from './dispatcher.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import type { FlattenHandler } from './flatten-handler.ts';
import type { TreasuryService } from '../treasury/service.ts';

export class StopHandler implements Worker {
  readonly #core: Core;
  readonly #dispatcher: Dispatcher;
  readonly #flatten: FlattenHandler;
  readonly #treasury: TreasuryService;
  readonly #ending = new Set<string>();

  constructor(core: Core, dispatcher: Dispatcher, flatten: FlattenHandler, treasury: TreasuryService) {
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
