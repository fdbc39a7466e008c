/**
 * What no strategy may use in a backtest: real time, unseeded randomness, network, processes. A call throws and stops
 * the strategy. During import only results that can be kept are refused.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { endings } from './process-end.ts';
import type { StandingTraps } from './standing-traps.ts';
import type { TrapHandler } from './trap-handler.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const require = createRequire(import.meta.url);

/** `names` empty: every function with a lower-case initial. */
interface RefusedModule {
  readonly module: string;
  readonly why: string;
  readonly names: readonly string[];
}

const FILES = 'reads or writes files by itself: readFileSync, while the strategy is loaded, is taken down';
const NETWORK = 'uses the network: a strategy sees the market through its context';
const CHANCE = 'is randomness without seed: use random() of the context';
const TIME = 'is real time: use clock.now() of the context';
const PROCESS = 'starts a process';
const THREAD = 'starts a thread or a channel, whose clock and order are not those of the session';
const MACHINE = 'reveals the state of the machine, which differs in each run';
const POOL = 'is answered by another thread: use the form that ends in Sync';
const COMPILED = 'is answered by another thread: use new WebAssembly.Module and new WebAssembly.Instance';
const WAITS = 'waits in real time: use RxJS timer() or clock.every()';
const REALM = 'runs code beyond the clock and the seed of the session';
const COLLECTED = 'depends on when memory is collected';
const DATABASE = 'has a clock and chance of its own, and no hash: give a strategy its data by params, state or a file';
const LEFT_BEHIND = 'changes the process, and the next run in it would see that';

/** An import waits for what it awaits. */
const FREE_AT_IMPORT: ReadonlySet<string> = new Set([POOL, COMPILED, WAITS]);

const RANDOM_NAMES = [
  'getRandomValues',
  'pseudoRandomBytes',
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
];
const KEY_NAMES = [
  'createDiffieHellman',
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

const HEAP_NAMES = [
  'getCppHeapStatistics',
  'getHeapCodeStatistics',
  'getHeapSnapshot',
  'getHeapSpaceStatistics',
  'getHeapStatistics',
  'writeHeapSnapshot',
];
const LEFT_BEHIND_NAMES = [
  'addListener',
  'binding',
  'chdir',
  'dlopen',
  'loadEnvFile',
  'on',
  'once',
  'prependListener',
  'prependOnceListener',
  'removeAllListeners',
  'setUncaughtExceptionCaptureCallback',
  'umask',
];
const PROCESS_NAMES = [
  'availableMemory',
  'constrainedMemory',
  'cpuUsage',
  'getActiveResourcesInfo',
  'resourceUsage',
  'threadCpuUsage',
];

function streamName(name: string): string {
  return `create${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

const refusedModules: readonly RefusedModule[] = [
  { module: 'node:http', why: NETWORK, names: ['createServer', 'get', 'request'] },
  { module: 'node:https', why: NETWORK, names: ['createServer', 'get', 'request'] },
  { module: 'node:http2', why: NETWORK, names: ['connect', 'createServer', 'createSecureServer'] },
  { module: 'node:net', why: NETWORK, names: ['connect', 'createConnection', 'createServer'] },
  { module: 'node:tls', why: NETWORK, names: ['connect', 'createServer'] },
  { module: 'node:dgram', why: NETWORK, names: ['createSocket'] },
  { module: 'node:dns', why: NETWORK, names: [] },
  { module: 'node:child_process', why: PROCESS, names: [] },
  { module: 'node:crypto', why: CHANCE, names: [...RANDOM_NAMES, 'randomUUID', 'randomUUIDv7', ...KEY_NAMES] },
  { module: 'node:timers/promises', why: WAITS, names: [] },
  { module: 'node:dns/promises', why: NETWORK, names: [] },
  { module: 'node:cluster', why: PROCESS, names: ['fork'] },
  { module: 'node:vm', why: REALM, names: ['createContext', 'runInContext', 'runInNewContext'] },
  { module: 'node:os', why: MACHINE, names: ['cpus', 'freemem', 'loadavg', 'networkInterfaces', 'uptime'] },
  { module: 'node:v8', why: MACHINE, names: HEAP_NAMES },
  { module: 'node:v8', why: LEFT_BEHIND, names: ['setFlagsFromString'] },
  { module: 'node:module', why: LEFT_BEHIND, names: ['register', 'registerHooks', 'syncBuiltinESMExports'] },
  { module: 'node:async_hooks', why: LEFT_BEHIND, names: ['createHook'] },
  { module: 'node:async_hooks', why: MACHINE, names: ['executionAsyncId', 'triggerAsyncId'] },
  { module: 'node:worker_threads', why: THREAD, names: [] },
  { module: 'node:zlib', why: POOL, names: [...ZLIB_NAMES, ...ZLIB_NAMES.map(streamName)] },
];

/** Constructors: `[module or null for the globals, class, why]`. */
const refusedClasses: readonly (readonly [string | null, string, string])[] = [
  [null, 'WebSocket', NETWORK],
  [null, 'EventSource', NETWORK],
  [null, 'MessageChannel', THREAD],
  [null, 'BroadcastChannel', THREAD],
  [null, 'WeakRef', COLLECTED],
  [null, 'FinalizationRegistry', COLLECTED],
  ['node:fs', 'ReadStream', FILES],
  ['node:fs', 'WriteStream', FILES],
  ['node:worker_threads', 'Worker', THREAD],
  ['node:worker_threads', 'MessageChannel', THREAD],
  ['node:worker_threads', 'BroadcastChannel', THREAD],
];

/** Methods of real classes: `[module, class, methods, why]`. */
const refusedMethods: readonly (readonly [string, string, readonly string[], string])[] = [
  ['node:net', 'Socket', ['connect'], NETWORK],
  ['node:crypto', 'ECDH', ['generateKeys'], CHANCE],
  ['node:crypto', 'DiffieHellman', ['generateKeys'], CHANCE],
  ['node:crypto', 'DiffieHellmanGroup', ['generateKeys'], CHANCE],
  ['node:sqlite', 'DatabaseSync', ['exec', 'prepare'], DATABASE],
  ['node:sqlite', 'StatementSync', ['all', 'get', 'iterate', 'run'], DATABASE],
];

/** Values: `[holder, label, names, why]`. */
const refusedValues: readonly (readonly [object, string, readonly string[], string])[] = [
  [process, 'process', ['pid', 'ppid'], MACHINE],
  [require('node:worker_threads') as object, 'worker_threads', ['isMainThread', 'threadId', 'workerData'], MACHINE],
  [Object.getPrototypeOf(performance) as object, 'performance', ['nodeTiming', 'timeOrigin'], TIME],
  [Event.prototype, 'Event', ['timeStamp'], TIME],
  [File.prototype, 'File', ['lastModified'], TIME],
];

/** Undefined where the call is allowed. */
function handlerFor(traps: StandingTraps, why: string): TrapHandler | undefined {
  return FREE_AT_IMPORT.has(why) ? traps.session : traps.handler;
}

/** Functions only: classes (capital letter) would need `new.target`. */
function refusing(traps: StandingTraps, used: string, why: string, real: AnyFunction): AnyFunction {
  const trapped: AnyFunction = function trapped(this: unknown, ...args) {
    const handler = handlerFor(traps, why);
    const scope = handler?.caller();
    if (scope !== undefined) handler?.refuse(scope, `${used}()`, why);
    return Reflect.apply(real, this, args);
  };
  return Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real));
}

function functionNames(holder: object): readonly string[] {
  return Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => typeof value === 'function' && /^[a-z]/.test(name))
    .map(([name]) => name);
}

function refuseIn(traps: StandingTraps, holder: object, label: string, why: string, names: readonly string[]): void {
  for (const name of names) {
    const real: unknown = Reflect.get(holder, name);
    if (typeof real === 'function')
      traps.patch(holder, name, refusing(traps, `${label}.${name}`, why, real as AnyFunction));
  }
}

function refuseValues(
  traps: StandingTraps,
  holder: object,
  label: string,
  why: string,
  names: readonly string[],
): void {
  for (const name of names) {
    const own = Object.getOwnPropertyDescriptor(holder, name);
    if (own === undefined) continue;
    const get = Reflect.get(own, 'get') as AnyFunction | undefined;
    traps.patchGetter(holder, name, function trapped(this: unknown) {
      // A named import reads it once only.
      if (isNaming) return undefined;
      const handler = handlerFor(traps, why);
      const scope = handler?.caller();
      if (scope !== undefined) handler?.refuse(scope, `${label}.${name}`, why);
      return get === undefined ? (own.value as unknown) : Reflect.apply(get, this, []);
    });
  }
}

function refuseClass(traps: StandingTraps, holder: object, name: string, why: string): void {
  const real: unknown = Reflect.get(holder, name);
  if (typeof real !== 'function') return;
  const trapped = new Proxy(real, {
    construct: (target, args: unknown[], newTarget) => {
      const handler = handlerFor(traps, why);
      const scope = handler?.caller();
      if (scope !== undefined) handler?.refuse(scope, `new ${name}()`, why);
      return Reflect.construct(target, args, newTarget) as object;
    },
  });
  traps.patch(holder, name, trapped);
}

/** With another function on it. */
function refuseBoth(traps: StandingTraps, name: string, inner: string, why: string): void {
  const real = Reflect.get(process, name) as AnyFunction;
  const trapped = refusing(traps, `process.${name}`, why, real);
  const value = refusing(traps, `process.${name}.${inner}`, why, Reflect.get(real, inner) as AnyFunction);
  traps.patch(process, name, Object.defineProperty(trapped, inner, { value }));
}

/** From Node 26. */
function refuseTemporalNow(traps: StandingTraps): void {
  const temporal: unknown = Reflect.get(globalThis, 'Temporal');
  if (typeof temporal !== 'object' || temporal === null) return;
  const now = Reflect.get(temporal, 'Now') as object;
  refuseIn(traps, now, 'Temporal.Now', TIME, functionNames(now));
}

export function trapRefusedGlobals(traps: StandingTraps): void {
  for (const { module, why, names } of refusedModules) {
    const holder = require(module) as object;
    refuseIn(traps, holder, module.slice('node:'.length), why, names.length > 0 ? names : functionNames(holder));
  }
  for (const [module, name, methods, why] of refusedMethods) {
    const { prototype } = Reflect.get(require(module) as object, name) as { readonly prototype: object };
    refuseIn(traps, prototype, `${module.slice('node:'.length)}.${name}`, why, methods);
  }
  for (const [holder, label, names, why] of refusedValues) refuseValues(traps, holder, label, why, names);
  refuseIn(traps, globalThis, 'globalThis', NETWORK, ['fetch']);
  refuseIn(traps, globalThis.crypto, 'crypto', CHANCE, ['getRandomValues', 'randomUUID']);
  refuseIn(traps, globalThis.crypto.subtle, 'crypto.subtle', CHANCE, ['generateKey']);
  refuseIn(traps, globalThis.performance, 'performance', TIME, ['eventLoopUtilization', 'mark', 'measure', 'now']);
  refuseIn(traps, process, 'process', TIME, ['uptime']);
  refuseIn(traps, process, 'process', MACHINE, PROCESS_NAMES);
  refuseIn(traps, process, 'process', LEFT_BEHIND, LEFT_BEHIND_NAMES);
  refuseIn(traps, process.report, 'process.report', MACHINE, ['getReport', 'writeReport']);
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
  for (const [name, trapped] of endings(() => traps.handler?.caller())) traps.patch(process, name, trapped);
  refuseBoth(traps, 'hrtime', 'bigint', TIME);
  refuseBoth(traps, 'memoryUsage', 'rss', MACHINE);
}

/** Node re-reads trapped functions for named imports. */
let isNaming = false;

/** After laying or lifting. */
export function syncNamedImports(): void {
  isNaming = true;
  syncBuiltinESMExports();
  isNaming = false;
}
