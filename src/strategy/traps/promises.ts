/**
 * Promises of strategies in a backtest. A backtest is one synchronous loop: a promise that RxJS or the strategy itself
 * awaits is drained before time goes on; one that nobody takes would run at an accidental moment, so it stops the
 * strategy, with the file and line that made it, unless `allowAsync` says that such are drained, too. What runs after
 * an `await` runs in the scope of the strategy again.
 *
 * "Nobody" is: made in the strategy's scope, and still without a `then`, `await` or RxJS on it after the drain. The
 * promise that a `then` answers counts when the strategy's own file called it; `await` and RxJS leave such tails, too.
 */
import { promiseHooks } from 'node:v8';
import { strategyErrors } from '../errors.ts';
import { captureStack, locate } from '../location.ts';
import { currentScope, enter, leave, outside, type Running, type StrategyScope } from '../scope.ts';
import type { OutsideWork } from './outside-work.ts';

const CHAINED = /^\s*at Promise\.(then|catch|finally) /;

/** Whether the promise was made by a `then`, `catch` or `finally` that stands in one of the strategy's files. */
function isOwnTail(stack: string, files: ReadonlySet<string>): boolean {
  const lines = stack.split('\n');
  const chained = lines.findIndex((line) => CHAINED.test(line));
  const caller = chained < 0 ? undefined : lines.slice(chained).find((line) => !CHAINED.test(line));
  return locate(caller, files) !== undefined;
}

interface Watched {
  readonly scope: StrategyScope;
  readonly stack: string;
}

/** Real time, taken before anything is patched: a turn of the event loop runs every microtask that is due. */
const turn = setImmediate;

export class PromiseWatch {
  readonly #alone = new Map<Promise<unknown>, Watched>();
  readonly #scopes = new WeakMap<Promise<unknown>, StrategyScope>();
  /** Microtasks do not nest. */
  #before: Running;
  #pending = false;
  #stop: () => void = () => {};
  readonly #work: OutsideWork;

  constructor(work: OutsideWork) {
    this.#work = work;
  }

  start(): void {
    // Typed as Function by @types/node; it answers the function that removes the hooks.
    const stopHooks = promiseHooks.createHook({
      init: (promise, parent) => this.#made(promise, parent),
      before: (promise) => this.#enter(promise),
      after: (promise) => this.#leave(promise),
      settled: (promise) => this.#settled(promise),
    }) as () => void;
    const onRejection = (reason: unknown, promise: Promise<unknown>): void => this.#rejected(reason, promise);
    process.on('unhandledRejection', onRejection);
    this.#stop = () => {
      stopHooks();
      process.off('unhandledRejection', onRejection);
    };
  }

  stop(): void {
    this.#stop();
    this.#alone.clear();
  }

  /** Since the last drain a promise of a strategy was made or settled, or it queued a microtask, or waits for work beside. */
  get pending(): boolean {
    return this.#pending || this.#work.waiting;
  }

  /** A strategy queued a microtask without a promise. */
  owe(): void {
    this.#pending = true;
  }

  /** Lets every microtask run, waits for work beside the session, then stops the strategies that left a promise alone. */
  async drain(): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => {
        turn(resolve);
      });
      if (!this.#work.waiting) break;
      await this.#work.settle();
    }
    this.#pending = false;
    for (const { scope, stack } of this.#alone.values()) {
      const error = strategyErrors.make('strategy_nondeterministic', 'a promise was made that nobody awaits');
      error.stack = stack;
      scope.fail(error);
    }
    this.#alone.clear();
  }

  #made(promise: Promise<unknown>, parent: Promise<unknown> | undefined): void {
    if (parent !== undefined) this.#alone.delete(parent);
    const scope = currentScope();
    if (scope === undefined) return;
    this.#pending = true;
    this.#scopes.set(promise, scope);
    if (scope.allowAsync) return;
    const stack = outside(captureStack);
    if (parent === undefined || isOwnTail(stack, scope.files)) this.#alone.set(promise, { scope, stack });
  }

  /** By a timer of the session, for example: what awaits it goes on before time does. */
  #settled(promise: Promise<unknown>): void {
    if (!this.#pending && this.#scopes.has(promise)) this.#pending = true;
  }

  #enter(promise: Promise<unknown>): void {
    const scope = this.#scopes.get(promise);
    if (scope !== undefined) this.#before = enter(scope);
  }

  #leave(promise: Promise<unknown>): void {
    if (this.#scopes.has(promise)) leave(this.#before);
  }

  /** A rejection of the engine's own is no business of the traps: it ends the process, as it would without them. */
  #rejected(reason: unknown, promise: Promise<unknown>): void {
    const scope = this.#scopes.get(promise);
    if (scope === undefined) throw reason;
    scope.fail(reason);
  }
}
