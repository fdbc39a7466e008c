/**
 * Files in a backtest. While loading, hashable paths may be read and are recorded. Writes, pipes, standard input and
 * recursive listings are refused; while running everything is.
 */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Unhashable, type InputKind } from '../inputs/digest.ts';
import type { InputLog } from '../inputs/input-log.ts';
import type { StandingTraps } from './standing-traps.ts';
import type { TrapHandler } from './trap-handler.ts';

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const require = createRequire(import.meta.url);

const RUNNING =
  'reads or writes files while the strategy runs: name what it reads with file(), keep what it writes in state';
export const OPENED =
  'reads a file while it is loaded: its content is in the run hash; file() says so and keeps it, too';
const OTHER = 'writes files, or reads what no hash covers';

/** Without Sync. An open file is judged at opening. */
const READS: Readonly<Record<string, readonly InputKind[] | 'open file'>> = {
  access: ['entry'],
  close: 'open file',
  createReadStream: ['file'],
  exists: ['entry'],
  fstat: 'open file',
  lstat: ['status'],
  open: ['file', 'status'],
  openAsBlob: ['file'],
  read: 'open file',
  readFile: ['file'],
  readdir: ['folder'],
  readlink: ['entry'],
  readv: 'open file',
  realpath: ['entry'],
  stat: ['status'],
};

const READ_FLAGS: ReadonlySet<unknown> = new Set([undefined, null, 0, 'r', 'rs', 'sr']);
const LAST_STANDARD_FD = 2;

function optionOf(options: unknown, name: string): unknown {
  return typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined;
}

function pathOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof URL) return fileURLToPath(value);
  return Buffer.isBuffer(value) ? value.toString() : undefined;
}

/** @throws Unhashable */
export function noteFile(inputs: InputLog, name: string, [first, second]: readonly unknown[]): void {
  const reads = READS[name.replace(/Sync$/, '')];
  if (reads === undefined) throw new Unhashable(OTHER);
  const fd = typeof first === 'number' ? first : optionOf(second, 'fd');
  if (typeof fd === 'number') {
    if (fd <= LAST_STANDARD_FD) throw new Unhashable('reads standard input, which cannot be hashed');
    return;
  }
  const flags = [optionOf(second, 'flag'), optionOf(second, 'flags')];
  if (name.startsWith('open') && typeof second !== 'function' && typeof second !== 'object') flags.push(second);
  if (!flags.every((flag) => READ_FLAGS.has(flag))) throw new Unhashable(OTHER);
  if (optionOf(second, 'recursive') === true) throw new Unhashable('lists whole trees, which no hash covers');
  const path = pathOf(first);
  // A wrong argument; Node throws.
  if (path === undefined || reads === 'open file') return;
  for (const kind of reads) inputs.add(kind, path);
}

/** Opens a file for its content. */
function isOpening(name: string, [first]: readonly unknown[]): boolean {
  const reads = READS[name.replace(/Sync$/, '')];
  return Array.isArray(reads) && reads.includes('file') && typeof first !== 'number';
}

function judge(handler: TrapHandler, isRunning: boolean, label: string, name: string, args: readonly unknown[]): void {
  const scope = handler.caller();
  if (scope === undefined) return;
  if (isRunning || scope.inputs === undefined) return handler.refuse(scope, `${label}.${name}()`, RUNNING);
  try {
    noteFile(scope.inputs, name, args);
    if (isOpening(name, args)) handler.warn(scope, `${label}.${name}()`, OPENED);
  } catch (thrown) {
    if (!(thrown instanceof Unhashable)) throw thrown;
    handler.refuse(scope, `${label}.${name}()`, thrown.message);
  }
}

function trapIn(traps: StandingTraps, holder: object, label: string): void {
  for (const [name, { value: real }] of Object.entries(Object.getOwnPropertyDescriptors(holder))) {
    if (typeof real !== 'function' || !/^[a-z]/.test(name)) continue;
    const trapped: AnyFunction = function trapped(this: unknown, ...args) {
      const { handler } = traps;
      if (handler !== undefined) judge(handler, traps.session !== undefined, label, name, args);
      return Reflect.apply(real as AnyFunction, this, args);
    };
    traps.patch(holder, name, Object.defineProperties(trapped, Object.getOwnPropertyDescriptors(real)));
  }
}

export function trapFiles(traps: StandingTraps): void {
  trapIn(traps, require('node:fs') as object, 'fs');
  trapIn(traps, require('node:fs/promises') as object, 'fs/promises');
}
