/**
 * What an input of a strategy holds at this moment, as a hash: a file, a folder, a variable of the environment. What has no
 * content that could be read again (a pipe, a device, a file of the kernel) cannot be hashed and throws `Unhashable`.
 * Node's functions are taken here before any trap lies around them. Called by `input-log.ts`.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { relative, resolve } from 'node:path';

const { closeSync, lstatSync, openSync, readdirSync, readSync, realpathSync, statSync } = fs;
const environment = process.env;
const cwd = process.cwd.bind(process);
const machine: Readonly<Record<string, unknown>> = { ...os };

/**
 * `file`: data; `module`: code that was loaded while the strategy ran; `entry`: what lies at a path and where a link leads;
 * `status`: its size and times; `env`: a variable; `process` and `machine`: what `process` and `node:os` say under a name.
 */
export type InputKind = 'entry' | 'env' | 'file' | 'folder' | 'machine' | 'module' | 'process' | 'status';

/** Kinds whose name is a path. */
export const PATH_KINDS: ReadonlySet<InputKind> = new Set(['entry', 'file', 'folder', 'module', 'status']);

export class Unhashable extends Error {}

const CHUNK_BYTES = 2 ** 20;
/** Made by the kernel at each read. */
const KERNEL = /^\/(?:proc|sys)(?:\/|$)/;

/** SHA-256 of a file, hex, whatever its length. */
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

/** Without the time of the last access, which is changed by looking. */
function status(path: string): string {
  return [statSync(path), lstatSync(path)]
    .map((found) => Object.entries(found).filter(([name]) => !name.startsWith('atime')))
    .map((fields) => JSON.stringify(fields))
    .join('\n');
}

/** A name of the process or the machine: what it is, or what it answers. */
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
