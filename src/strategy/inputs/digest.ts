/**
 * Hash of a strategy's input. Pipes, devices and kernel files throw `Unhashable`. Node's functions are taken before any
 * trap.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { relative, resolve } from 'node:path';

const { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, realpathSync, statSync } = fs;
const environment = process.env;
const cwd = process.cwd.bind(process);
const machine: Readonly<Record<string, unknown>> = { ...os };

/**
 * `file`: data; `module`: code loaded while running; `entry`: path type and link target; `status`: size and times;
 * `process`, `machine`: names of `process`, `node:os`.
 */
export type InputKind = 'entry' | 'env' | 'file' | 'folder' | 'machine' | 'module' | 'process' | 'status';

/** Kinds named by a path. */
export const PATH_KINDS: ReadonlySet<InputKind> = new Set(['entry', 'file', 'folder', 'module', 'status']);

export class Unhashable extends Error {}

const CHUNK_BYTES = 2 ** 20;
/** Of a file that is held in memory. */
const HELD_BYTES_MAX = 256 * 2 ** 20;
/** Made by the kernel at each read. */
const KERNEL = /^\/(?:proc|sys)(?:\/|$)/;

/** SHA-256, hex, of a file of any length. */
function contentOf(path: string): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const file = openSync(path, 'r');
  try {
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk))
      hash.update(chunk.subarray(0, bytes));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

function regular(path: string): string {
  const found = realpathSync(path);
  const isFolder = statSync(found).isDirectory();
  if (KERNEL.test(found) || !(isFolder || statSync(found).isFile()))
    throw new Unhashable(`${path} is no file of a disk: what it says cannot be hashed`);
  return isFolder ? 'folder' : contentOf(found);
}

/** Size and time of the last change. */
function stampOf({ size, mtimeMs }: fs.Stats): string {
  return `${size} ${mtimeMs}`;
}

export interface Content {
  readonly bytes: Uint8Array;
  /** SHA-256, hex. */
  readonly hash: string;
  readonly stamp: string;
}

/** The bytes of a regular file. Throws `Unhashable`, and what Node throws. */
export function contentNow(path: string): Content {
  const found = realpathSync(path);
  const status = statSync(found);
  if (KERNEL.test(found) || !status.isFile()) throw new Unhashable(`${path} is no file of a disk`);
  if (status.size > HELD_BYTES_MAX) throw new Unhashable(`${path} has more than ${HELD_BYTES_MAX / 2 ** 20} MiB`);
  const bytes = readFileSync(found);
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex'), stamp: stampOf(status) };
}

/** Whether it has the same content; read only where size or time differ. */
export function isAsRead(path: string, { hash, stamp }: Omit<Content, 'bytes'>): boolean {
  try {
    return stampOf(statSync(path)) === stamp || contentOf(path) === hash;
  } catch {
    return false;
  }
}

function listing(path: string): string {
  const names = readdirSync(path, { withFileTypes: true }).map(
    (entry) => `${entry.name} ${entry.isDirectory()} ${entry.isFile()} ${entry.isSymbolicLink()}`,
  );
  return names.toSorted().join('\n');
}

function entry(path: string, root: string): string {
  const { mode } = lstatSync(path);
  return `${mode} ${statSync(path).mode} ${relative(root, realpathSync(path))}`;
}

/** Without access time, which reading changes. */
function status(path: string): string {
  return [statSync(path), lstatSync(path)]
    .map((found) => Object.entries(found).filter(([name]) => !name.startsWith('atime')))
    .map((fields) => JSON.stringify(fields))
    .join('\n');
}

/** A value, or the result of a function. */
function saidBy(holder: object, name: string): string {
  const value: unknown = Reflect.get(holder, name);
  return JSON.stringify(typeof value === 'function' ? (Reflect.apply(value, holder, []) as unknown) : value) ?? '';
}

function atPath(kind: InputKind, path: string, root: string): string {
  try {
    if (kind === 'file' || kind === 'module') return regular(path);
    if (kind === 'folder') return listing(path);
    return kind === 'entry' ? entry(path, root) : status(path);
  } catch (thrown) {
    if (thrown instanceof Unhashable) throw thrown;
    return `none: ${String((thrown as { readonly code?: unknown }).code)}`;
  }
}

/**
 * @param name of a path relative to `root`, of all else as it is
 * @throws Unhashable
 */
export function inputNow(kind: InputKind, name: string, root: string): string {
  if (PATH_KINDS.has(kind)) return atPath(kind, resolve(root, name), root);
  if (kind === 'env') return JSON.stringify(environment[name]) ?? 'none';
  if (kind === 'machine') return saidBy(machine, name);
  return name === 'cwd' ? cwd() : saidBy(process, name);
}
