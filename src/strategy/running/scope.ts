/**
 * Attributes throws, timers and trapped globals to the running strategy. Scopes are synchronous, so one variable per
 * thread suffices.
 *
 *   engine ─▶ enter(scope) ─▶ strategy code ─▶ act() ─▶ enter('engine') ─▶ engine ─▶ leave ─▶ … ─▶ leave
 *
 * After an `await` there is no scope: `ownerOf` reads the stack.
 */
import { Observable, type Subscription } from 'rxjs';
import type { InputLog } from '../inputs/input-log.ts';
import { locate } from '../loading/location.ts';

export interface StrategyScope {
  readonly tag: string;
  /** The strategy's file and its local imports. */
  readonly files: ReadonlySet<string>;
  /** Those and imported packages. Default: `files`. */
  readonly modules?: Pick<ReadonlySet<string>, 'has'>;
  /** Records what it reads from outside. */
  readonly inputs?: InputLog;
  /** Its subscriptions; unsubscribed when it ends. */
  readonly lifetime: Subscription;
  /** A question whose answer is recorded: `live` answers it, in a replay the recording. */
  readonly answer?: <T>(ask: string, live: () => T) => T;
  /** Until `setup` has returned. */
  isStarting?: boolean;
  /** From its definition. */
  readonly allowAsync: boolean;
  /** For error messages: `top BTCUSDT` and the value. */
  eventName: string;
  eventValue: unknown;
  /** True once it failed or was stopped. */
  closed: boolean;
  /** Stops this strategy alone and reports. */
  fail(thrown: unknown): void;
}

export type Running = StrategyScope | 'engine' | undefined;

let running: Running;
const living = new Set<StrategyScope>();

/** Undefined in engine code. */
export function currentScope(): StrategyScope | undefined {
  return running === 'engine' ? undefined : running;
}

/** True in engine code that a strategy called. */
export function inEngine(): boolean {
  return running === 'engine';
}

/** Pass the result to `leave` in a finally. */
export function enter(scope: StrategyScope | 'engine'): Running {
  const before = running;
  running = scope;
  return before;
}

export function leave(before: Running): void {
  running = before;
}

/** Stacks with its files are its own from here on. */
export function openScope(scope: StrategyScope): void {
  living.add(scope);
}

export function closeScope(scope: StrategyScope): void {
  scope.closed = true;
  living.delete(scope);
  scope.lifetime.unsubscribe();
}

/** For a process that ended without stopping them. */
export function forgetScopes(): void {
  living.clear();
}

/** With a frame in this stack. */
export function ownerOf(stack: string | undefined): StrategyScope | undefined {
  for (const scope of living) if (locate(stack, scope.modules ?? scope.files) !== undefined) return scope;
  return undefined;
}

/** False: no stack is needed. */
export function anyScope(): boolean {
  return living.size > 0;
}

/** Stops the strategy in an uncaught error's stack. False when there is none. */
export function claimUncaught(thrown: unknown): boolean {
  const scope = ownerOf(thrown instanceof Error ? thrown.stack : undefined);
  if (scope === undefined) return false;
  scope.eventName = 'a callback or promise of its own';
  scope.eventValue = undefined;
  scope.fail(thrown);
  return true;
}

/** Engine code called by a strategy, such as log or state. */
export function outside<T>(run: () => T): T {
  const before = enter('engine');
  try {
    return run();
  } finally {
    leave(before);
  }
}

/** A throw stops the strategy and goes no further. */
export function inside(scope: StrategyScope, eventName: string, eventValue: unknown, run: () => void): void {
  if (scope.closed) return;
  const before = enter(scope);
  scope.eventName = eventName;
  scope.eventValue = eventValue;
  try {
    run();
  } catch (thrown) {
    scope.fail(thrown);
  } finally {
    leave(before);
  }
}

/** Emits each value in the scope. Ends with the strategy. */
export function scoped<T>(scope: StrategyScope, eventName: string, source: Observable<T>): Observable<T> {
  return new Observable<T>((subscriber) => {
    if (scope.closed) return;
    const observer = {
      next: (value: T) => {
        if (scope.closed) return;
        const before = enter(scope);
        scope.eventName = eventName;
        scope.eventValue = value;
        try {
          subscriber.next(value);
        } finally {
          leave(before);
        }
      },
      error: (thrown: unknown) => inside(scope, eventName, undefined, () => subscriber.error(thrown)),
      complete: () => inside(scope, eventName, undefined, () => subscriber.complete()),
    };
    const subscription = outside(() => source.subscribe(observer));
    scope.lifetime.add(subscription);
    subscriber.add(subscription);
  });
}
