/**
 * What a strategy may use in a backtest, on the session's clock and seed, with one warning each: `Date`, timers and
 * `Math.random`. Timers of `globalThis` and of `node:timers` are the same. Microtasks and ticks run before time goes on.
 */
import timers from 'node:timers';
import type { Cancel, Clock } from '../../model/ports.ts';
import { currentScope, inside, type StrategyScope } from '../scope.ts';
import type { StandingTraps } from './standing-traps.ts';
import type { TrapDesk } from './trap-desk.ts';

type Callback = (...args: unknown[]) => void;
type AnyFunction = (...args: unknown[]) => unknown;

const INSTEAD = 'runs on the clock of the session; clock.now() says so';
const TOO_EARLY = 'has no session to run in while the file is loaded: set it in setup';

/** What `setTimeout` answers in Node, as far as code uses it. */
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
    const { desk } = traps;
    const scope = desk?.caller();
    if (desk === undefined || scope === undefined) return undefined;
    desk.warn(scope, 'Date', INSTEAD);
    return Math.floor(desk.clock?.now() ?? 0);
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

/** A repeated timer of 0 ms would never let virtual time pass. Node's own floor, too. */
function delayOf(value: unknown): number {
  const ms = Number(value);
  return ms >= 1 ? ms : 1;
}

type Arm = (clock: Clock, run: () => void, ms: number) => Cancel;

function sessionTimer(
  desk: TrapDesk,
  scope: StrategyScope,
  name: string,
  args: readonly unknown[],
  arm: Arm,
): SessionTimer {
  const [callback, delay, ...rest] = args;
  if (typeof callback !== 'function') throw new TypeError(`${name}: the callback must be a function`);
  const { clock } = desk;
  if (clock === undefined) return desk.refuse(scope, `${name}()`, TOO_EARLY);
  desk.warn(scope, name, 'runs on the clock of the session; RxJS timer() and clock.every() do the same in every mode');
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
        const { desk } = traps;
        const scope = desk?.caller();
        if (desk === undefined || scope === undefined) return real(...args);
        // setImmediate takes no delay: its further arguments are the callback's.
        const given = name === 'setImmediate' ? [args[0], 0, ...args.slice(1)] : args;
        return sessionTimer(desk, scope, name, given, arm);
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
    const { desk } = traps;
    const scope = desk?.caller();
    if (desk === undefined || scope === undefined) return real();
    desk.warn(scope, 'Math.random', 'is seeded by the session; random() of the context is the same in every mode');
    return desk.randomOf(scope).next();
  });
}

export function trapSessionGlobals(traps: StandingTraps): void {
  trapDate(traps);
  trapTimers(traps);
  trapRandom(traps);
  trapMicrotasks(traps);
}

/** The session is told of each, so that it runs before time goes on, as it does on paper and live. */
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
