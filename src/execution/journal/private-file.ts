/**
 * Creates a database file for its owner alone before SQLite opens it. Never opens one that exists: closing any other
 * descriptor of a file drops all POSIX locks that this process holds on it, SQLite's among them.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { executionErrors } from '../errors.ts';

/** Throws `journal_owner` when somebody else on this machine owns it, and could change it under us. */
export function requireOwned(path: string): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  const { uid } = statSync(path);
  if (uid === user) return;
  throw executionErrors.make('journal_owner', `${path} belongs to user ${uid}, this process runs as ${user}`, { path });
}

export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
}
