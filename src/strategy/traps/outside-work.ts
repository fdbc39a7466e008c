/**
 * Work beside the session (thread pool, files, native libraries) has no session time, so it stops the strategy.
 * With `allowAsync` the clock waits; ports, real timers and zlib streams are always refused.
 */
import { AsyncResource, createHook } from 'node:async_hooks';
import { strategyErrors } from '../errors.ts';
import { captureStack } from '../loading/location.ts';
import { currentScope, outside, type StrategyScope } from '../running/scope.ts';

const INSIDE = new Set([
  'PROMISE',
  'Microtask',
  'TickObject',
  'TTYWRAP',
  'PIPEWRAP',
  'WRITEWRAP',
  'SHUTDOWNWRAP',
  'SIGNALWRAP',
]);
const ENDLESS = new Set([
  'BLOBREADER',
  'FILEHANDLE',
  'FSEVENTWRAP',
  'Immediate',
  'MESSAGEPORT',
  'PROCESSWRAP',
  'STATWATCHER',
  'TCPWRAP',
  'Timeout',
  'UDPWRAP',
  'WORKER',
  'ZLIB',
]);

/** Longest wait of one drain, real time. */
const WAIT_MS_MAX = 30_000;
/** Taken before patching. */
const realAfter = setTimeout;
const realCancel = clearTimeout;

interface Work {
  readonly scope: StrategyScope;
  readonly type: string;
  readonly stack: string;
}

export class OutsideWork {
  readonly #open = new Map<number, Work>();
  readonly #hook = createHook({
    init: (id, type, _trigger, resource) => this.#made(id, type, resource),
    after: (id) => this.#done(id),
    destroy: (id) => this.#done(id),
  });
  #answered: () => void = () => {};

  start(): void {
    this.#hook.enable();
  }

  stop(): void {
    this.#hook.disable();
    this.#open.clear();
  }

  get waiting(): boolean {
    return this.#open.size > 0;
  }

  /** Overdue strategies are stopped. */
  async settle(): Promise<void> {
    if (this.#open.size === 0) return;
    const limit = realAfter(() => this.#giveUp(), WAIT_MS_MAX);
    await new Promise<void>((resolve) => {
      this.#answered = resolve;
    });
    realCancel(limit);
  }

  #made(id: number, type: string, resource: object): void {
    const scope = currentScope();
    // An AsyncResource only labels a library's callbacks.
    if (scope === undefined || scope.closed || INSIDE.has(type) || resource instanceof AsyncResource) return;
    const stack = outside(captureStack);
    if (scope.allowAsync && !ENDLESS.has(type)) {
      this.#open.set(id, { scope, type, stack });
      return;
    }
    const remedy = ENDLESS.has(type) ? '' : ' (allowAsync: true lets the clock wait for it)';
    fail({ scope, type, stack }, `answers outside of the session's clock${remedy}`);
  }

  #done(id: number): void {
    if (this.#open.delete(id) && this.#open.size === 0) this.#answered();
  }

  #giveUp(): void {
    for (const work of this.#open.values()) fail(work, `did not answer within ${WAIT_MS_MAX / 1000} s of real time`);
    this.#open.clear();
    this.#answered();
  }
}

/** A throw in a Node hook would end the process. */
function fail({ scope, type, stack }: Work, why: string): void {
  const error = strategyErrors.make('strategy_nondeterministic', `work of the kind ${type} ${why}`, { used: type });
  error.stack = stack;
  scope.fail(error);
}
