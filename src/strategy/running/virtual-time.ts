/**
 * RxJS's time operators on `Clock`. Only this file sets the global providers' `delegate`: one clock per thread.
 *
 * Due times are exact (start + n × interval); a timer is re-armed before its handler; equal due times fire in arming
 * order. A handler runs in the scope that armed it.
 */
import { asyncScheduler, config, Observable } from 'rxjs';
import { dateTimestampProvider } from 'rxjs/internal/scheduler/dateTimestampProvider';
import { immediateProvider } from 'rxjs/internal/scheduler/immediateProvider';
import { intervalProvider } from 'rxjs/internal/scheduler/intervalProvider';
import { performanceTimestampProvider } from 'rxjs/internal/scheduler/performanceTimestampProvider';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';
import type { Cancel, Clock } from '../../model/ports.ts';
import { strategyErrors } from '../errors.ts';
import { Restless } from './restless.ts';
import { claimUncaught, currentScope, inside, type StrategyScope } from './scope.ts';

export interface VirtualTimeOptions {
  /** Zero-delay timers per instant before a strategy is stopped; default: the clock's limit. */
  readonly instantTimersMax?: number;
  /** Of no strategy. */
  unhandled(thrown: unknown): void;
}

/** Shorter intervals repeat each ms, as in Node. */
const GRAIN_MS = 0.001;
const REPEAT_MS_DEFAULT = 1;

let installed: Clock | undefined;

interface Event {
  readonly name: string;
  readonly value: unknown;
}

const TIMER: Event = { name: 'a timer', value: undefined };

/** RxJS reports what a subscriber threw by a timer without delay: the event is the one that it got. */
function reported(): Event {
  const scope = currentScope();
  return scope === undefined ? TIMER : { name: scope.eventName, value: scope.eventValue };
}

/** In the scope that armed it, after `before`, which may throw. False when the strategy has ended. */
function bound(handler: () => void, { name, value }: Event, before?: (scope: StrategyScope) => void): () => boolean {
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
    inside(scope, name, value, work);
    return true;
  };
}

class TimerTable {
  readonly #clock: Clock;
  readonly #cancels = new Map<number, Cancel>();
  readonly #restless: Restless | undefined;
  #lastId = 0;

  constructor(clock: Clock, instantTimersMax: number | undefined) {
    this.#clock = clock;
    this.#restless = instantTimersMax === undefined ? undefined : new Restless(instantTimersMax);
  }

  #bound(handler: () => void, event = TIMER): () => boolean {
    const restless = this.#restless;
    if (restless === undefined) return bound(handler, event);
    const armedMs = this.#clock.now();
    return bound(handler, event, (scope) => {
      const now = this.#clock.now();
      if (now === armedMs) restless.fired(scope, now);
    });
  }

  once(handler: () => void, delayMs = 0, event = TIMER): number {
    const id = ++this.#lastId;
    const run = this.#bound(handler, event);
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
      // Skips boundaries missed in sleep.
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

/** Fails unless the strategy's `rxjs` is this copy. */
function probe(clock: Clock): void {
  const before = clock.now();
  const told = asyncScheduler.now();
  if (told >= before && told <= clock.now()) return;
  throw strategyErrors.make(
    'rxjs_foreign_copy',
    `rxjs does not follow the session's clock: it says ${told}, the clock ${before}`,
  );
}

export function isOurObservable(value: unknown): value is Observable<unknown> {
  return value instanceof Observable;
}

export interface VirtualTime {
  /**
   * Until `leave`; armed timers stay.
   * @throws clock_already_installed when another session holds this thread; rxjs_foreign_copy when the probe fails.
   */
  enter(): void;
  leave(): void;
  /** Cancels armed timers. */
  clear(): void;
}

/** For sessions that take turns in a thread. */
export function createVirtualTime(clock: Clock, options: VirtualTimeOptions): VirtualTime {
  const timers = new TimerTable(clock, options.instantTimersMax);
  const timestamps = { now: () => clock.now() };
  const clear = (handle: unknown): void => timers.clear(handle);
  let unhandledBefore = config.onUnhandledError;
  const leave = (): void => {
    if (installed !== clock) return;
    installed = undefined;
    dateTimestampProvider.delegate = undefined;
    performanceTimestampProvider.delegate = undefined;
    intervalProvider.delegate = undefined;
    timeoutProvider.delegate = undefined;
    immediateProvider.delegate = undefined;
    config.onUnhandledError = unhandledBefore;
  };
  const enter = (): void => {
    if (installed !== undefined)
      throw strategyErrors.make('clock_already_installed', 'RxJS runs on the clock of another session in this thread');
    installed = clock;
    dateTimestampProvider.delegate = timestamps;
    performanceTimestampProvider.delegate = timestamps;
    intervalProvider.delegate = { setInterval: (handler, ms) => timers.repeat(handler, ms), clearInterval: clear };
    timeoutProvider.delegate = {
      setTimeout: (handler, ms) => timers.once(handler, ms, ms === undefined ? reported() : TIMER),
      clearTimeout: clear,
    };
    // A microtask has no place in the clock's order.
    immediateProvider.delegate = { setImmediate: (handler) => timers.once(handler), clearImmediate: clear };
    unhandledBefore = config.onUnhandledError;
    config.onUnhandledError = (thrown: unknown) => {
      const scope = currentScope();
      if (scope !== undefined) scope.fail(thrown);
      else if (!claimUncaught(thrown)) options.unhandled(thrown);
    };
    try {
      probe(clock);
    } catch (thrown) {
      leave();
      throw thrown;
    }
  };
  return { enter, leave, clear: () => timers.clearAll() };
}

/**
 * Until the returned function is called, which also cancels armed timers.
 * @throws clock_already_installed, rxjs_foreign_copy
 */
export function installVirtualTime(clock: Clock, options: VirtualTimeOptions): Cancel {
  const time = createVirtualTime(clock, options);
  time.enter();
  return () => {
    time.clear();
    time.leave();
  };
}
