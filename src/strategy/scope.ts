/**
 * Whose code is running. Every way into a strategy (setup, a market event, a timer, an account event) enters its scope
 * and leaves it again, so that a throw, a timer and a trapped global are put down to the right strategy. All calls are
 * synchronous: one variable per thread is enough.
 *
 *   engine ─▶ enter(scope) ─▶ strategy code ─▶ act() ─▶ enter(undefined) ─▶ engine ─▶ leave ─▶ … ─▶ leave
 */
import { Observable, type Subscription } from 'rxjs';

export interface StrategyScope {
  readonly tag: string;
  /** The strategy's file and the files of its own that it imports. */
  readonly files: ReadonlySet<string>;
  /** Everything that the strategy subscribed to; unsubscribed when it ends. */
  readonly lifetime: Subscription;
  /** What the strategy is being told at the moment: `top BTCUSDT` and the value, for error messages. */
  eventName: string;
  eventValue: unknown;
  /** True once it failed or was stopped: nothing of it runs any more. */
  closed: boolean;
  /** Stops this strategy alone and reports. */
  fail(thrown: unknown): void;
}

let running: StrategyScope | undefined;

export function currentScope(): StrategyScope | undefined {
  return running;
}

/** Answers what ran before; hand it to `leave` in a finally. */
export function enter(scope: StrategyScope | undefined): StrategyScope | undefined {
  const before = running;
  running = scope;
  return before;
}

export function leave(before: StrategyScope | undefined): void {
  running = before;
}

/** Runs engine code that a strategy called, such as the log or the state store, outside of its scope. */
export function outside<T>(run: () => T): T {
  const before = enter(undefined);
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
    const subscription = source.subscribe({
      next: (value) => {
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
    });
    scope.lifetime.add(subscription);
    subscriber.add(subscription);
  });
}
