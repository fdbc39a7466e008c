/**
 * Environment, arguments, working folder, process and machine in a backtest: constant for a run, recorded with a hash.
 */
import { createRequire } from 'node:module';
import type { InputKind } from '../inputs/digest.ts';
import type { InputLog } from '../inputs/input-log.ts';
import type { StandingTraps } from './standing-traps.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const require = createRequire(import.meta.url);

const OF_PROCESS = ['arch', 'argv0', 'execPath', 'platform', 'release', 'version', 'versions'];
const LISTS = ['argv', 'execArgv'];
const OF_MACHINE = [
  'arch',
  'availableParallelism',
  'endianness',
  'homedir',
  'hostname',
  'machine',
  'platform',
  'release',
  'tmpdir',
  'totalmem',
  'type',
  'userInfo',
  'version',
];

/** Undefined when the caller is no strategy. */
function logOf({ handler }: StandingTraps): InputLog | undefined {
  return handler?.caller()?.inputs;
}

/** The strategy's writes over the process's environment. */
function environment(traps: StandingTraps, real: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const read = (target: NodeJS.ProcessEnv, name: string): string | undefined => {
    const log = logOf(traps);
    if (log === undefined) return target[name];
    if (log.written.has(name)) return log.written.get(name);
    log.add('env', name);
    return target[name];
  };
  return new Proxy(real, {
    get: (target, name) => (typeof name === 'string' ? read(target, name) : Reflect.get(target, name)),
    has: (target, name) => (typeof name === 'string' ? read(target, name) !== undefined : Reflect.has(target, name)),
    ownKeys: (target) => {
      const log = logOf(traps);
      if (log === undefined) return Reflect.ownKeys(target);
      log.add('process', 'env');
      return [...new Set([...Object.keys(target), ...log.written.keys()])].filter(
        (name) => read(target, name) !== undefined,
      );
    },
    getOwnPropertyDescriptor: (target, name) => {
      if (typeof name !== 'string') return Reflect.getOwnPropertyDescriptor(target, name);
      const value = read(target, name);
      return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
    },
    set: (target, name, value) => {
      const log = logOf(traps);
      if (log === undefined || typeof name !== 'string') return Reflect.set(target, name, value);
      log.written.set(name, String(value));
      return true;
    },
    defineProperty: (target, name, descriptor) => {
      const log = logOf(traps);
      if (log === undefined || typeof name !== 'string') return Reflect.defineProperty(target, name, descriptor);
      log.written.set(name, String(descriptor.value));
      return true;
    },
    deleteProperty: (target, name) => {
      const log = logOf(traps);
      if (log === undefined || typeof name !== 'string') return Reflect.deleteProperty(target, name);
      log.written.set(name, undefined);
      return true;
    },
  });
}

/** Recorded at the first read of any element. */
function list(traps: StandingTraps, name: string, real: string[]): string[] {
  const copies = new WeakMap<InputLog, string[]>();
  const seen = (target: string[]): string[] => {
    const log = logOf(traps);
    if (log === undefined) return target;
    log.add('process', name);
    let copy = copies.get(log);
    if (copy === undefined) copies.set(log, (copy = [...target]));
    return copy;
  };
  return new Proxy(real, {
    get: (target, key) => Reflect.get(seen(target), key) as unknown,
    has: (target, key) => Reflect.has(seen(target), key),
    ownKeys: (target) => Reflect.ownKeys(seen(target)),
    set: (target, key, value) => Reflect.set(seen(target), key, value),
  });
}

function asked(traps: StandingTraps, holder: object, name: string, kind: InputKind): void {
  const real = Reflect.get(holder, name) as unknown;
  if (typeof real !== 'function') return;
  const trapped = function trapped(this: unknown, ...args: unknown[]): unknown {
    logOf(traps)?.add(kind, name);
    return Reflect.apply(real as AnyFunction, this, args);
  };
  traps.patch(holder, name, Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real)));
}

/** The existing getter, or one for the value. */
function getterOf(holder: object, name: string): AnyFunction | undefined {
  const own = Object.getOwnPropertyDescriptor(holder, name);
  if (own === undefined) return undefined;
  const get = Reflect.get(own, 'get') as AnyFunction | undefined;
  return get ?? (() => own.value as unknown);
}

function readValue(traps: StandingTraps, holder: object, name: string, note: (log: InputLog) => void): void {
  const get = getterOf(holder, name);
  if (get === undefined) return;
  traps.patchGetter(holder, name, function trapped(this: unknown) {
    const log = logOf(traps);
    if (log !== undefined) note(log);
    return Reflect.apply(get, this ?? holder, []);
  });
}

export function trapSurroundings(traps: StandingTraps): void {
  traps.patch(process, 'env', environment(traps, process.env));
  for (const name of LISTS) traps.patch(process, name, list(traps, name, Reflect.get(process, name) as string[]));
  for (const name of OF_PROCESS) readValue(traps, process, name, (log) => log.add('process', name));
  asked(traps, process, 'cwd', 'process');
  for (const name of OF_MACHINE) asked(traps, require('node:os') as object, name, 'machine');
  readValue(traps, globalThis, 'navigator', (log) => {
    log.add('process', 'version');
    for (const name of ['platform', 'availableParallelism']) log.add('machine', name);
  });
}
