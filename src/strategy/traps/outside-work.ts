/**
 * Work that a strategy hands to something beside the session: a thread of the machine's pool, a file, a native library.
 * Its answer comes when the machine is ready, at no instant of the session's clock, so it stops the strategy with file
 * and line. With `allowAsync` the clock stands still instead until the answer is there; what may answer again and again
 * (ports, real timers, zlib streams) is refused all the same, since nobody knows when it is done.
 *
 * Node tells of each such resource when it is made. Promises, microtasks, ticks and what prints to the terminal are none.
 */
import { AsyncResource, createHook } from 'node:async_hooks';
import { strategyErrors } from '../errors.ts';
import { captureStack } from '../location.ts';
import { currentScope, outside, type StrategyScope } from '../scope.ts';

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

/** How long the clock stands still for one drain, in real time. */
const WAIT_MS_MAX = 30_000;
/** Real time, taken before anything is patched. */
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

  /** A strategy waits for an answer from beside the session. */
  get waiting(): boolean {
    return this.#open.size > 0;
  }

  /** Resolves when every answer is there. Strategies whose answers do not come in time are stopped. */
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
    // An AsyncResource is a label that a library puts on its own callbacks, and makes nothing asynchronous.
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

/** Without a throw: one from a hook of Node would end the process. */
function fail({ scope, type, stack }: Work, why: string): void {
  const error = strategyErrors.make('strategy_nondeterministic', `work of the kind ${type} ${why}`, { used: type });
  error.stack = stack;
  scope.fail(error);
}
