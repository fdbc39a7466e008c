/**
 * Detects endless zero-delay timers, such as `timer(0).pipe(repeat())`, in real-time sessions. In backtests the clock
 * does.
 */
import { strategyErrors } from '../errors.ts';
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

  /** Fires in the instant it was set. Throws `strategy_livelock` beyond the bound. */
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
