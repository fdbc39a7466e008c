/**
 * Journal rows per second, one durable commit a row, beside a bare 4 kB append with fsync and beside a bare SQLite
 * insert with the same settings.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openJournal } from '../src/journal/sqlite-store.ts';
import { print, race, seconds } from './harness.ts';

const ROWS = 2000;

export async function journalBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const text = JSON.stringify({ kind: 'sending', intentId: 'boot-1', padding: 'x'.repeat(300) });
  const results = await race([
    {
      name: 'floor: 4 kB append + fsync',
      run: async () => {
        const handle = openSync(join(folder, 'plain'), 'w');
        const page = Buffer.alloc(4096, 1);
        const took = await seconds(() => {
          for (let row = 0; row < ROWS; row++) {
            writeSync(handle, page);
            fsyncSync(handle);
          }
        });
        closeSync(handle);
        return ROWS / took;
      },
    },
    {
      name: 'peer: bare better-sqlite3 insert, WAL FULL',
      run: async () => {
        const database = new Database(join(folder, 'bare.db'));
        database.pragma('journal_mode = WAL');
        database.pragma('synchronous = FULL');
        database.exec('CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
        const insert = database.prepare('INSERT INTO log (text) VALUES (?)');
        const took = await seconds(() => {
          for (let row = 0; row < ROWS; row++) insert.run(text);
        });
        database.close();
        return ROWS / took;
      },
    },
    {
      name: 'tidewire journal, one commit a row',
      run: async () => {
        const run = mkdtempSync(join(folder, 'journal-'));
        const journal = openJournal(run);
        const took = await seconds(() => {
          for (let row = 0; row < ROWS; row++) {
            journal.append(row, [{ kind: 'note', strategy: 'bench', text: 'x'.repeat(300) }]);
          }
        });
        journal.close();
        return ROWS / took;
      },
    },
  ]);
  print('Journal', 'rows/s', results);
  rmSync(folder, { recursive: true, force: true });
}
