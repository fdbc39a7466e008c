/**
 * Promises that a strategy makes and nobody awaits. A backtest is one synchronous loop: a promise that RxJS or the
 * strategy itself awaits is drained before time goes on; one that nobody takes would run at an accidental moment, so it
 * stops the strategy, with the file and line that made it.
 *
 * "Nobody" is: made in the strategy's scope, and still without a `then`, `await` or RxJS on it after the drain.
 */
import { promiseHooks } from 'node:v8';
import { strategyErrors } from '../errors.ts';
import { captureStack } from '../location.ts';
import { currentScope, outside, type StrategyScope } from '../scope.ts';

interface Watched {
  readonly scope: StrategyScope;
  readonly stack: string;
}

/** Real time, taken before anything is patched: a turn of the event loop runs every microtask that is due. */
const turn = setImmediate;

export class PromiseWatch {
  readonly #watched = new Map<Promise<unknown>, Watched>();
  #pending = false;
  #stop: () => void = () => {};

  start(): void {
    const stop = promiseHooks.onInit((promise, parent) => this.#made(promise, parent)) as () => void;
    this.#stop = stop;
  }

  stop(): void {
    this.#stop();
    this.#watched.clear();
  }

  /** A strategy made a promise since the last drain. */
  get pending(): boolean {
    return this.#pending;
  }

  /** Lets every microtask run, then stops the strategies that left a promise alone. */
  async drain(): Promise<void> {
    this.#pending = false;
    await new Promise<void>((resolve) => {
      turn(resolve);
    });
    for (const { scope, stack } of this.#watched.values()) {
      const error = strategyErrors.make('strategy_nondeterministic', 'a promise was made that nobody awaits');
      error.stack = stack;
      scope.fail(error);
    }
    this.#watched.clear();
  }

  #made(promise: Promise<unknown>, parent: Promise<unknown> | undefined): void {
    if (parent !== undefined) this.#watched.delete(parent);
    const scope = currentScope();
    if (scope === undefined) return;
    this.#pending = true;
    if (parent === undefined) this.#watched.set(promise, { scope, stack: outside(captureStack) });
  }
}
