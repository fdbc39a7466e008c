/**
 * Folders and files on disk. Folders are made step by step. Files are complete and durable under their names, or
 * absent. Database files are readable for their owner only.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { journalErrors } from '../errors.ts';

/**
 * Leaves what exists. Node's recursive way loops where an existing folder is reported missing (`/proc`, network mounts).
 * @throws the file system's error
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (isFolder(path)) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    // Another process may have made it first.
    if (!isFolder(path)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** @throws the file system's error */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** For its owner alone. @throws the file system's error, and leaves what was there */
export function writeWhole(path: string, bytes: Buffer): void {
  const draft = `${path}.partial`;
  try {
    const handle = openSync(draft, 'w', 0o600);
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(handle, bytes, at);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  syncFolder(dirname(path));
}

/** Throws `journal_owner` when another user owns it. */
export function requireOwned(path: string): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  const { uid } = statSync(path);
  if (uid === user) return;
  throw journalErrors.make('journal_owner', `${path} belongs to user ${uid}, this process runs as ${user}`, { path });
}

export const LOGS = ['-wal', '-shm', '-journal'];

export function dropFiles(path: string, suffixes: readonly string[] = ['', ...LOGS]): void {
  for (const suffix of suffixes) rmSync(`${path}${suffix}`, { force: true });
}

/** Never opens an existing one: closing it drops this process's POSIX locks. */
export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
}
