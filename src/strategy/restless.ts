/**
 * Notices a strategy whose timers set each other off without time passing: `timer(0).pipe(repeat())`. On a virtual clock
 * that is an instant without an end; a session in real time would run no other timer any more, its own end included.
 * Called by `virtual-time.ts`; a backtest leaves it to its clock, which ends with `livelock`.
 */
import { strategyErrors } from './errors.ts';
import type { StrategyScope } from './scope.ts';

interface Chain {
  atMs: number;
  count: number;
}

export class Restless {
  readonly #max: number;
  readonly #chains = new WeakMap<StrategyScope, Chain>();

  constructor(max: number) {
    this.#max = max;
  }

  /** A timer of the strategy fires in the instant in which it was set. Throws `strategy_livelock` when that does not end. */
  fired(scope: StrategyScope, atMs: number): void {
    const chain = this.#chains.get(scope);
    if (chain === undefined || chain.atMs !== atMs) {
      this.#chains.set(scope, { atMs, count: 1 });
      return;
    }
    chain.count++;
    if (chain.count <= this.#max) return;
    const what = `${scope.tag} set ${this.#max} timers without a delay within one instant`;
    throw strategyErrors.make('strategy_livelock', what, { tag: scope.tag });
  }
}
