/**
 * RxJS on the session's clock: its time operators (debounceTime, interval, timer, delay, throttleTime, bufferTime,
 * timeout, retry) run on `Clock` with no scheduler argument, in every mode. RxJS asks providers for time and timers and
 * each of them reads a `delegate` at the time of the call; this file, and no other, sets those. They are global per
 * thread: one clock per thread at a time.
 *
 * Due times are exact (start + n × interval), a timer is armed anew before its handler runs, equal due times fire in the
 * order of arming (the clock's promise). A handler runs in the scope of the strategy that armed the timer, so that what
 * it throws, and what RxJS reports as unhandled, stops that strategy alone.
 */
import { asyncScheduler, config, Observable } from 'rxjs';
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
import type { Cancel, Clock } from '../model/ports.ts';
import { strategyErrors } from './errors.ts';
import { Restless } from './restless.ts';
import { claimUncaught, currentScope, inside, type StrategyScope } from './scope.ts';

export interface VirtualTimeOptions {
  /** Timers without a delay that a strategy may set within one instant before it is stopped; absent: as many as the clock lets run. */
  readonly instantTimersMax?: number;
  /** An error that RxJS could hand to nobody and that no strategy's code raised. */
  unhandled(thrown: unknown): void;
}

/** A repeated timer below the clock's grain would never let virtual time pass: it repeats each ms, as Node's does. */
const GRAIN_MS = 0.001;
const REPEAT_MS_DEFAULT = 1;

let installed: Clock | undefined;

/**
 * Runs a timer's handler in the scope that armed it, after `before`, which may throw. Answers false when that strategy
 * has ended.
 */
function bound(handler: () => void, before?: (scope: StrategyScope) => void): () => boolean {
  const scope = currentScope();
  if (scope === undefined) {
    return () => {
      try {
        handler();
      } catch (thrown) {
        if (!claimUncaught(thrown)) throw thrown;
      }
      return true;
    };
  }
  const work =
    before === undefined
      ? handler
      : () => {
          before(scope);
          handler();
        };
  return () => {
    if (scope.closed) return false;
    inside(scope, 'a timer', undefined, work);
    return true;
  };
}

/** Timers by number on one clock, as the providers want them. */
class TimerTable {
  readonly #clock: Clock;
  readonly #cancels = new Map<number, Cancel>();
  readonly #restless: Restless | undefined;
  #lastId = 0;

  constructor(clock: Clock, instantTimersMax: number | undefined) {
    this.#clock = clock;
    this.#restless = instantTimersMax === undefined ? undefined : new Restless(instantTimersMax);
  }

  #bound(handler: () => void): () => boolean {
    const restless = this.#restless;
    if (restless === undefined) return bound(handler);
    const armedMs = this.#clock.now();
    return bound(handler, (scope) => {
      const now = this.#clock.now();
      if (now === armedMs) restless.fired(scope, now);
    });
  }

  once(handler: () => void, delayMs = 0): number {
    const id = ++this.#lastId;
    const run = this.#bound(handler);
    this.#cancels.set(
      id,
      this.#clock.after(delayMs, () => {
        this.#cancels.delete(id);
        run();
      }),
    );
    return id;
  }

  repeat(handler: () => void, intervalMs = 0): number {
    const id = ++this.#lastId;
    const run = this.#bound(handler);
    const step = intervalMs >= GRAIN_MS ? intervalMs : REPEAT_MS_DEFAULT;
    let due = this.#clock.now() + intervalMs;
    const fire = (): void => {
      // Boundaries that passed while the machine slept are left out; a timer that fires early keeps its grid.
      due += step * (1 + Math.max(0, Math.floor((this.#clock.now() - due) / step)));
      this.#cancels.set(id, this.#clock.after(due - this.#clock.now(), fire));
      if (!run()) this.clear(id);
    };
    this.#cancels.set(id, this.#clock.after(intervalMs, fire));
    return id;
  }

  clear(id: unknown): void {
    if (typeof id !== 'number') return;
    this.#cancels.get(id)?.();
    this.#cancels.delete(id);
  }

  clearAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}

/** The imports above and the strategy's `rxjs` must be one copy: time that does not follow the clock proves that they are not. */
function probe(clock: Clock): void {
  const before = clock.now();
  const told = asyncScheduler.now();
  if (told >= before && told <= clock.now()) return;
  throw strategyErrors.make(
    'rxjs_foreign_copy',
    `rxjs does not follow the session's clock: it says ${told}, the clock ${before}`,
  );
}

/** True for an Observable of our copy of RxJS. */
export function isOurObservable(value: unknown): value is Observable<unknown> {
  return value instanceof Observable;
}

/**
 * Puts RxJS on the clock until the answer is called, which also cancels every timer that is still armed.
 * @throws clock_already_installed when another session holds this thread; rxjs_foreign_copy when the probe fails.
 */
export function installVirtualTime(clock: Clock, options: VirtualTimeOptions): Cancel {
  if (installed !== undefined)
    throw strategyErrors.make('clock_already_installed', 'RxJS runs on the clock of another session in this thread');
  installed = clock;
  const timers = new TimerTable(clock, options.instantTimersMax);
  const timestamps = { now: () => clock.now() };
  const clear = (handle: unknown): void => timers.clear(handle);
  dateTimestampProvider.delegate = timestamps;
  performanceTimestampProvider.delegate = timestamps;
  intervalProvider.delegate = { setInterval: (handler, ms) => timers.repeat(handler, ms), clearInterval: clear };
  timeoutProvider.delegate = { setTimeout: (handler, ms) => timers.once(handler, ms), clearTimeout: clear };
  // At the same instant: as a microtask it would have no place in the clock's order.
  immediateProvider.delegate = { setImmediate: (handler) => timers.once(handler), clearImmediate: clear };
  const unhandledBefore = config.onUnhandledError;
  config.onUnhandledError = (thrown: unknown) => {
    const scope = currentScope();
    if (scope !== undefined) scope.fail(thrown);
    else if (!claimUncaught(thrown)) options.unhandled(thrown);
  };
  const remove: Cancel = () => {
    if (installed !== clock) return;
    installed = undefined;
    timers.clearAll();
    dateTimestampProvider.delegate = undefined;
    performanceTimestampProvider.delegate = undefined;
    intervalProvider.delegate = undefined;
    timeoutProvider.delegate = undefined;
    immediateProvider.delegate = undefined;
    config.onUnhandledError = unhandledBefore;
  };
  try {
    probe(clock);
  } catch (thrown) {
    remove();
    throw thrown;
  }
  return remove;
}
