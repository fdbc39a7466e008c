/** Worker thread of `checkWhole` (about 1 s/GB). Few imports, because it starts anew each time. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { messageOf } from '../model/errors.ts';
import { checkDatabase } from './schema.ts';

function finding(path: string): string | null {
  try {
    const db = new Database(path, { readonly: true, timeout: 1_000 });
    try {
      checkDatabase(db, path, 'integrity_check');
      return null;
    } finally {
      db.close();
    }
  } catch (thrown) {
    return messageOf(thrown);
  }
}

parentPort?.postMessage(finding(String(workerData)));
