/** `Date`, timers and `Math.random` on the session's clock and seed, with one warning each. */
import timers from 'node:timers';
import type { Cancel, Clock } from '../../model/ports.ts';
import { currentScope, inside, type StrategyScope } from '../running/scope.ts';
import type { StandingTraps } from './standing-traps.ts';
import type { TrapHandler } from './trap-handler.ts';

type Callback = (...args: unknown[]) => void;
type AnyFunction = (...args: unknown[]) => unknown;

const INSTEAD = 'runs on the clock of the session; clock.now() says so';
const TOO_EARLY = 'has no session to run in while the file is loaded: set it in setup';

/** The used part of Node's Timeout. */
class SessionTimer {
  cancel: Cancel = () => {};
  readonly #arm: () => Cancel;

  constructor(arm: () => Cancel) {
    this.#arm = arm;
    this.cancel = arm();
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  refresh(): this {
    this.cancel();
    this.cancel = this.#arm();
    return this;
  }

  close(): this {
    this.cancel();
    return this;
  }

  [Symbol.dispose](): void {
    this.cancel();
  }
}

function trapDate(traps: StandingTraps): void {
  const Real = Date;
  const told = (): number | undefined => {
    const { handler } = traps;
    const scope = handler?.caller();
    if (handler === undefined || scope === undefined) return undefined;
    handler.warn(scope, 'Date', INSTEAD);
    return Math.floor(handler.clock?.now() ?? 0);
  };
  const now = (): number => told() ?? Real.now();
  const textOf = Function.prototype.call.bind(Reflect.get(Real.prototype, 'toString')) as (date: Date) => string;
  const SessionDate: DateConstructor = new Proxy(Real, {
    construct: (target, args: unknown[], newTarget) => {
      const own = newTarget === SessionDate ? target : newTarget;
      if (args.length > 0) return Reflect.construct(target, args, own) as object;
      const ms = told();
      return Reflect.construct(target, ms === undefined ? [] : [ms], own) as object;
    },
    apply: (target) => textOf(new target(told() ?? Real.now())),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  traps.patch(globalThis, 'Date', SessionDate);
  traps.patch(Real.prototype, 'constructor', SessionDate);
}

/** Node's minimum; 0 would stop virtual time. */
function delayOf(value: unknown): number {
  const ms = Number(value);
  return ms >= 1 ? ms : 1;
}

type Arm = (clock: Clock, run: () => void, ms: number) => Cancel;

function sessionTimer(
  handler: TrapHandler,
  scope: StrategyScope,
  name: string,
  args: readonly unknown[],
  arm: Arm,
): SessionTimer {
  const [callback, delay, ...rest] = args;
  if (typeof callback !== 'function') throw new TypeError(`${name}: the callback must be a function`);
  const { clock } = handler;
  if (clock === undefined) return handler.refuse(scope, `${name}()`, TOO_EARLY);
  handler.warn(
    scope,
    name,
    'runs on the clock of the session; RxJS timer() and clock.every() do the same in every mode',
  );
  const run = callback as Callback;
  return new SessionTimer(() => arm(clock, () => inside(scope, name, undefined, () => run(...rest)), delayOf(delay)));
}

function trapTimers(traps: StandingTraps): void {
  const after: Arm = (clock, run, ms) => clock.after(ms, run);
  const every: Arm = (clock, run, ms) => clock.every(ms, run);
  const soon: Arm = (clock, run) => clock.after(0, run);
  const setters: Readonly<Record<string, Arm>> = { setTimeout: after, setInterval: every, setImmediate: soon };
  const clearers = ['clearTimeout', 'clearInterval', 'clearImmediate'];
  for (const host of [globalThis, timers] as readonly object[]) {
    for (const [name, arm] of Object.entries(setters)) {
      const real = Reflect.get(host, name) as AnyFunction;
      const trapped = (...args: unknown[]): unknown => {
        const { handler } = traps;
        const scope = handler?.caller();
        if (handler === undefined || scope === undefined) return real(...args);
        // setImmediate's further arguments are the callback's.
        const given = name === 'setImmediate' ? [args[0], 0, ...args.slice(1)] : args;
        return sessionTimer(handler, scope, name, given, arm);
      };
      traps.patch(host, name, Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real)));
    }
    for (const name of clearers) {
      const real = Reflect.get(host, name) as AnyFunction;
      traps.patch(host, name, (handle: unknown) => (handle instanceof SessionTimer ? handle.cancel() : real(handle)));
    }
  }
}

function trapRandom(traps: StandingTraps): void {
  const real = Math.random;
  traps.patch(Math, 'random', () => {
    const { handler } = traps;
    const scope = handler?.caller();
    if (handler === undefined || scope === undefined) return real();
    handler.warn(scope, 'Math.random', 'is seeded by the session; random() of the context is the same in every mode');
    return handler.randomOf(scope).next();
  });
}

export function trapSessionGlobals(traps: StandingTraps): void {
  trapDate(traps);
  trapTimers(traps);
  trapRandom(traps);
  trapMicrotasks(traps);
}

/** Reports each, to run it before time advances. */
function trapMicrotasks(traps: StandingTraps): void {
  const holders = [
    [globalThis, 'queueMicrotask'],
    [process, 'nextTick'],
  ] as const;
  for (const [holder, name] of holders) {
    const real = Reflect.get(holder, name) as AnyFunction;
    const trapped = (...args: unknown[]): unknown => {
      const { session } = traps;
      const scope = session === undefined ? undefined : currentScope();
      const [callback, ...rest] = args;
      if (session === undefined || scope === undefined || typeof callback !== 'function')
        return Reflect.apply(real, holder, args);
      session.owe();
      const run = callback as Callback;
      return Reflect.apply(real, holder, [() => inside(scope, name, undefined, () => run(...rest))]);
    };
    traps.patch(holder, name, trapped);
  }
}
