/** Time zone and language differ between machines: a warning once a kind. The default date is session time. */
import { currentScope } from '../running/scope.ts';
import type { StandingTraps } from './standing-traps.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const BY_ZONE = [
  'getDate',
  'getDay',
  'getFullYear',
  'getHours',
  'getMinutes',
  'getMonth',
  'getTimezoneOffset',
  'setDate',
  'setFullYear',
  'setHours',
  'setMinutes',
  'setMonth',
  'toDateString',
  'toString',
  'toTimeString',
];
const BY_LOCALE = ['toLocaleDateString', 'toLocaleString', 'toLocaleTimeString'];

const ZONE = "depends on the machine's time zone; the UTC methods of Date are the same everywhere";
const LOCALE = "depends on the machine's locale and time zone; name both, or use toISOString()";

/** Whether locale and zone are explicit. */
function isNamed([locales, options]: readonly unknown[]): boolean {
  return locales !== undefined && typeof options === 'object' && options !== null && 'timeZone' in options;
}

function warnOf(traps: StandingTraps, name: string, why: string, isFine: (args: readonly unknown[]) => boolean): void {
  const real = Reflect.get(Date.prototype, name) as AnyFunction;
  const trapped = function trapped(this: unknown, ...args: unknown[]): unknown {
    const { session } = traps;
    const scope = session === undefined ? undefined : currentScope();
    if (scope !== undefined && !isFine(args)) session?.warn(scope, `Date.${name}`, why);
    return Reflect.apply(real, this, args);
  };
  traps.patch(Date.prototype, name, Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real)));
}

/** Formats session time where no date is given. */
function presentOf(traps: StandingTraps, dates: readonly unknown[]): readonly unknown[] {
  const { session } = traps;
  const scope = currentScope();
  if (session === undefined || scope === undefined || dates[0] !== undefined) return dates;
  session.warn(scope, 'Intl.DateTimeFormat', 'without a date formats the time of the session');
  return [Math.floor(session.clock.now())];
}

function trapFormats(traps: StandingTraps): void {
  const Real = Intl.DateTimeFormat;
  const { prototype } = Real;
  const told = (args: readonly unknown[]): void => {
    const { session } = traps;
    const scope = session === undefined ? undefined : currentScope();
    if (scope !== undefined && !isNamed(args)) session?.warn(scope, 'Intl.DateTimeFormat', LOCALE);
  };
  const SessionFormat: typeof Intl.DateTimeFormat = new Proxy(Real, {
    construct: (target, args: unknown[], newTarget) => {
      told(args);
      return Reflect.construct(target, args, newTarget === SessionFormat ? target : newTarget) as object;
    },
    apply: (target, thisArg, args: unknown[]) => {
      told(args);
      return Reflect.apply(target, thisArg, args) as unknown;
    },
  });
  traps.patch(Intl, 'DateTimeFormat', SessionFormat);
  const parts = Reflect.get(prototype, 'formatToParts') as AnyFunction;
  traps.patch(prototype, 'formatToParts', function formatToParts(this: unknown, ...dates: unknown[]) {
    return Reflect.apply(parts, this, presentOf(traps, dates));
  });
  const { get } = Object.getOwnPropertyDescriptor(prototype, 'format') as { readonly get: AnyFunction };
  const bind = Function.prototype.call.bind(get) as (of: unknown) => AnyFunction;
  traps.patchGetter(prototype, 'format', function get(this: unknown) {
    const bound = bind(this);
    return (...dates: unknown[]) => Reflect.apply(bound, undefined, presentOf(traps, dates));
  });
}

export function trapLocalTime(traps: StandingTraps): void {
  for (const name of BY_ZONE) warnOf(traps, name, ZONE, () => false);
  for (const name of BY_LOCALE) warnOf(traps, name, LOCALE, isNamed);
  trapFormats(traps);
}
