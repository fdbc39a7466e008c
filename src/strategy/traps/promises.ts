/**
 * Promises in a backtest. Awaited ones are drained before time advances; an untaken one stops the strategy, unless
 * `allowAsync`.
 *
 * "Taken": has a `then`, `await` or RxJS after the drain. A promise returned by `then` counts only if the strategy's
 * file called it, as `await` and RxJS leave such tails.
 */
import { promiseHooks } from 'node:v8';
import { strategyErrors } from '../errors.ts';
import { captureStack, locate } from '../loading/location.ts';
import { currentScope, enter, leave, outside, type Running, type StrategyScope } from '../running/scope.ts';
import type { OutsideWork } from './outside-work.ts';

const CHAINED = /^\s*at Promise\.(then|catch|finally) /;

/** Made by `then`, `catch` or `finally` in these files. */
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

/** Before patching. A turn runs every due microtask. */
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
    // @types/node says Function; it returns the remover.
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

  /** A promise, a microtask, or outstanding work since the last drain. */
  get pending(): boolean {
    return this.#pending || this.#work.waiting;
  }

  /** A microtask without a promise. */
  owe(): void {
    this.#pending = true;
  }

  /** Then stops strategies with an untaken promise. */
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
      const error = strategyErrors.make('strategy_nondeterministic', 'a promise was made that nothing awaits');
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

  /** What awaits it runs before time advances. */
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

  /** The engine's ends the process, as without traps. */
  #rejected(reason: unknown, promise: Promise<unknown>): void {
    const scope = this.#scopes.get(promise);
    if (scope === undefined) throw reason;
    scope.fail(reason);
  }
}
