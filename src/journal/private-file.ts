/** Creates a database file for its owner alone. Never opens an existing one: closing it drops this process's POSIX locks. */
import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { journalErrors } from './errors.ts';

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

export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
}
