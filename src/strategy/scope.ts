/**
 * Whose code is running. Every way into a strategy (setup, a market event, a timer, an account event) enters its scope
 * and leaves it again, so that a throw, a timer and a trapped global are put down to the right strategy. All calls are
 * synchronous: one variable per thread is enough.
 *
 *   engine ─▶ enter(scope) ─▶ strategy code ─▶ act() ─▶ enter('engine') ─▶ engine ─▶ leave ─▶ … ─▶ leave
 *
 * `'engine'` is engine code that a strategy called; nothing running at all may be the engine or, after an `await`, the
 * strategy again: then only the stack can tell (`ownerOf`).
 */
import { Observable, type Subscription } from 'rxjs';
import type { InputLog } from './inputs/input-log.ts';
import { locate } from './location.ts';

export interface StrategyScope {
  readonly tag: string;
  /** The strategy's file and the files of its own that it imports. */
  readonly files: ReadonlySet<string>;
  /** Those and the packages that they import. Absent: as `files`. */
  readonly modules?: Pick<ReadonlySet<string>, 'has'>;
  /** What it takes from outside is written down here. */
  readonly inputs?: InputLog;
  /** Everything that the strategy subscribed to; unsubscribed when it ends. */
  readonly lifetime: Subscription;
  /** Its definition says `allowAsync`: a backtest waits for what it does beside the session. */
  readonly allowAsync: boolean;
  /** What the strategy is being told at the moment: `top BTCUSDT` and the value, for error messages. */
  eventName: string;
  eventValue: unknown;
  /** True once it failed or was stopped: nothing of it runs any more. */
  closed: boolean;
  /** Stops this strategy alone and reports. */
  fail(thrown: unknown): void;
}

export type Running = StrategyScope | 'engine' | undefined;

let running: Running;
const living = new Set<StrategyScope>();

/** The strategy whose code runs; undefined in engine code, also when a strategy called it. */
export function currentScope(): StrategyScope | undefined {
  return running === 'engine' ? undefined : running;
}

/** True in engine code that a strategy called. */
export function inEngine(): boolean {
  return running === 'engine';
}

/** Answers what ran before; hand it to `leave` in a finally. */
export function enter(scope: StrategyScope | 'engine'): Running {
  const before = running;
  running = scope;
  return before;
}

export function leave(before: Running): void {
  running = before;
}

/** From here on a stack that holds one of the scope's files is put down to it. */
export function openScope(scope: StrategyScope): void {
  living.add(scope);
}

/** Nothing of the strategy runs from here on. */
export function closeScope(scope: StrategyScope): void {
  scope.closed = true;
  living.delete(scope);
  scope.lifetime.unsubscribe();
}

/** Its process has ended without a word to its strategies; where many run in one, one after the other. */
export function forgetScopes(): void {
  living.clear();
}

/** The living strategy that has a frame in this stack. */
export function ownerOf(stack: string | undefined): StrategyScope | undefined {
  for (const scope of living) if (locate(stack, scope.modules ?? scope.files) !== undefined) return scope;
  return undefined;
}

/** False while no strategy lives, when no stack needs to be looked at. */
export function anyScope(): boolean {
  return living.size > 0;
}

/**
 * Puts down an error that nobody caught (of a promise, of a callback outside of RxJS, of the process) to the strategy
 * in whose file it was thrown, and stops that one. Answers false when no living strategy is in the stack.
 */
export function claimUncaught(thrown: unknown): boolean {
  const scope = ownerOf(thrown instanceof Error ? thrown.stack : undefined);
  if (scope === undefined) return false;
  scope.eventName = 'a callback or promise of its own';
  scope.eventValue = undefined;
  scope.fail(thrown);
  return true;
}

/** Runs engine code that a strategy called, such as the log or the state store. */
export function outside<T>(run: () => T): T {
  const before = enter('engine');
  try {
    return run();
  } finally {
    leave(before);
  }
}

/** Runs strategy code; a throw stops the strategy and never passes on. */
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

/** The same stream, each value handed over in the scope. Ends with the strategy, however it was subscribed to. */
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
      error: (thrown: unknown) => inside(scope, eventName, thrown, () => subscriber.error(thrown)),
      complete: () => inside(scope, eventName, undefined, () => subscriber.complete()),
    };
    const subscription = outside(() => source.subscribe(observer));
    scope.lifetime.add(subscription);
    subscriber.add(subscription);
  });
}
