/**
 * Creates a database file for its owner alone before SQLite opens it. Never opens one that exists: closing any other
 * descriptor of a file drops all POSIX locks that this process holds on it, SQLite's among them.
 */
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';

export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'wx', 0o600));
  chmodSync(path, 0o600);
}
