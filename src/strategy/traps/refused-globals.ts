/**
 * What no strategy may use in a backtest, since its result would differ from run to run: real time, randomness without
 * seed, network, files, processes. Each call throws a typed error with file and line and stops the strategy.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { TrapContext } from './trap-context.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const require = createRequire(import.meta.url);

/** `names` empty: every function whose name begins with a small letter. */
interface RefusedModule {
  readonly module: string;
  readonly why: string;
  readonly names: readonly string[];
}

const FILES = 'reads or writes files: give a strategy its data by params or state';
const NETWORK = 'uses the network: a strategy sees the market through its context';
const CHANCE = 'is randomness without seed: use random() of the context';
const TIME = 'is real time: use clock.now() of the context';
const PROCESS = 'starts a process';
const THREAD = 'starts a thread or a channel, whose clock and order are not those of the session';
const MACHINE = 'tells the state of the machine, which is another in each run';
const POOL = 'is answered by another thread: use the form that ends in Sync';
const COMPILED = 'is answered by another thread: use new WebAssembly.Module and new WebAssembly.Instance';
const WAITS = 'waits in real time: use RxJS timer() or clock.every()';
const REALM = 'runs code beyond the clock and the seed of the session';
const COLLECTED = 'depends on when memory is collected';

const RANDOM_NAMES = [
  'getRandomValues',
  'pseudoRandomBytes',
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
];
const KEY_NAMES = [
  'generateKey',
  'generateKeyPair',
  'generateKeyPairSync',
  'generateKeySync',
  'generatePrime',
  'generatePrimeSync',
];

const ZLIB_NAMES = [
  'brotliCompress',
  'brotliDecompress',
  'deflate',
  'deflateRaw',
  'gunzip',
  'gzip',
  'inflate',
  'inflateRaw',
  'unzip',
  'zstdCompress',
  'zstdDecompress',
];

function streamName(name: string): string {
  return `create${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const refusedModules: readonly RefusedModule[] = [
  { module: 'node:fs', why: FILES, names: [] },
  { module: 'node:fs/promises', why: FILES, names: [] },
  { module: 'node:http', why: NETWORK, names: ['createServer', 'get', 'request'] },
  { module: 'node:https', why: NETWORK, names: ['createServer', 'get', 'request'] },
  { module: 'node:http2', why: NETWORK, names: ['connect', 'createServer', 'createSecureServer'] },
  { module: 'node:net', why: NETWORK, names: ['connect', 'createConnection', 'createServer'] },
  { module: 'node:tls', why: NETWORK, names: ['connect', 'createServer'] },
  { module: 'node:dgram', why: NETWORK, names: ['createSocket'] },
  { module: 'node:dns', why: NETWORK, names: ['lookup', 'resolve', 'resolve4', 'resolve6'] },
  { module: 'node:child_process', why: PROCESS, names: [] },
  { module: 'node:crypto', why: CHANCE, names: [...RANDOM_NAMES, 'randomUUID', 'randomUUIDv7', ...KEY_NAMES] },
  { module: 'node:timers/promises', why: WAITS, names: [] },
  { module: 'node:dns/promises', why: NETWORK, names: [] },
  { module: 'node:cluster', why: PROCESS, names: ['fork'] },
  { module: 'node:vm', why: REALM, names: ['createContext', 'runInContext', 'runInNewContext'] },
  { module: 'node:os', why: MACHINE, names: ['cpus', 'freemem', 'loadavg', 'networkInterfaces', 'uptime'] },
  { module: 'node:zlib', why: POOL, names: [...ZLIB_NAMES, ...ZLIB_NAMES.map(streamName)] },
];

/** Refused when they are made: `[module or null for the globals, class, why]`. */
const refusedClasses: readonly (readonly [string | null, string, string])[] = [
  [null, 'WebSocket', NETWORK],
  [null, 'EventSource', NETWORK],
  [null, 'MessageChannel', THREAD],
  [null, 'BroadcastChannel', THREAD],
  [null, 'WeakRef', COLLECTED],
  [null, 'FinalizationRegistry', COLLECTED],
  ['node:worker_threads', 'Worker', THREAD],
  ['node:worker_threads', 'MessageChannel', THREAD],
  ['node:worker_threads', 'BroadcastChannel', THREAD],
  ['node:sqlite', 'DatabaseSync', FILES],
];

/** `Reflect.apply` with `new.target` kept would be needed for classes; those are left out by their capital letter. */
function refusing(traps: TrapContext, used: string, why: string, real: AnyFunction): AnyFunction {
  const trapped: AnyFunction = function trapped(this: unknown, ...args) {
    const scope = traps.caller();
    if (scope !== undefined) traps.refuse(scope, `${used}()`, why);
    return Reflect.apply(real, this, args);
  };
  return Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real));
}

function functionNames(holder: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => typeof value === 'function' && /^[a-z]/.test(name))
    .map(([name]) => name);
}

function refuseIn(traps: TrapContext, holder: object, label: string, why: string, names: readonly string[]): void {
  for (const name of names) {
    const real: unknown = Reflect.get(holder, name);
    if (typeof real === 'function')
      traps.patch(holder, name, refusing(traps, `${label}.${name}`, why, real as AnyFunction));
  }
}

function refuseClass(traps: TrapContext, holder: object, name: string, why: string): void {
  const real: unknown = Reflect.get(holder, name);
  if (typeof real !== 'function') return;
  const trapped = new Proxy(real, {
    construct: (target, args: unknown[], newTarget) => {
      const scope = traps.caller();
      if (scope !== undefined) traps.refuse(scope, `new ${name}()`, why);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
  traps.patch(holder, name, trapped);
}

/** Node 26 has it. */
function refuseTemporalNow(traps: TrapContext): void {
  const temporal: unknown = Reflect.get(globalThis, 'Temporal');
  if (typeof temporal !== 'object' || temporal === null) return;
  const now = Reflect.get(temporal, 'Now') as object;
  refuseIn(traps, now, 'Temporal.Now', TIME, functionNames(now));
}

export function trapRefusedGlobals(traps: TrapContext): void {
  for (const { module, why, names } of refusedModules) {
    const holder = require(module) as object;
    refuseIn(traps, holder, module.slice('node:'.length), why, names.length > 0 ? names : functionNames(holder));
  }
  const { Socket } = require('node:net') as { readonly Socket: { readonly prototype: object } };
  refuseIn(traps, Socket.prototype, 'net.Socket', NETWORK, ['connect']);
  refuseIn(traps, globalThis, 'globalThis', NETWORK, ['fetch']);
  refuseIn(traps, globalThis.crypto, 'crypto', CHANCE, ['getRandomValues', 'randomUUID']);
  refuseIn(traps, globalThis.crypto.subtle, 'crypto.subtle', CHANCE, ['generateKey']);
  refuseIn(traps, globalThis.performance, 'performance', TIME, ['eventLoopUtilization', 'mark', 'measure', 'now']);
  refuseIn(traps, process, 'process', TIME, ['uptime']);
  refuseIn(traps, process, 'process', MACHINE, ['cpuUsage', 'memoryUsage', 'resourceUsage', 'threadCpuUsage']);
  refuseIn(traps, AbortSignal, 'AbortSignal', WAITS, ['timeout']);
  refuseIn(traps, Atomics, 'Atomics', WAITS, ['wait', 'waitAsync']);
  const wasm = Reflect.get(globalThis, 'WebAssembly') as object;
  refuseIn(traps, wasm, 'WebAssembly', COMPILED, [
    'compile',
    'compileStreaming',
    'instantiate',
    'instantiateStreaming',
  ]);
  const { scheduler } = require('node:timers/promises') as { readonly scheduler: object };
  refuseIn(traps, Object.getPrototypeOf(scheduler) as object, 'scheduler', WAITS, ['wait', 'yield']);
  refuseTemporalNow(traps);
  for (const [module, name, why] of refusedClasses)
    refuseClass(traps, module === null ? globalThis : (require(module) as object), name, why);
  const { hrtime } = process;
  const trapped = refusing(traps, 'process.hrtime', TIME, hrtime as AnyFunction);
  Object.defineProperty(trapped, 'bigint', {
    value: refusing(traps, 'process.hrtime.bigint', TIME, Reflect.get(hrtime, 'bigint') as AnyFunction),
  });
  traps.patch(process, 'hrtime', trapped);
  syncBuiltinESMExports();
}

/** After `TrapContext.restore`: named imports of the built-in modules follow again. */
export function syncNamedImports(): void {
  syncBuiltinESMExports();
}
