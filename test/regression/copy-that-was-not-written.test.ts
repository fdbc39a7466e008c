/** A migration whose copy could not be written (a full disk) left an empty `journal.db.v<n>.bak`, the file that the way back to the older build needs. */
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { migrationCopy } from '../../src/journal/migrate.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { tempDir } from '../execution/rig.ts';

const PAGE_BYTES = 4096;

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A journal of schema 2 of which some pages in the middle cannot be read, so that its copy fails halfway. */
function uncopyable(): string {
  const { dir, remove } = tempDir();
  cleanups.push(remove);
  const journal = openJournal(dir);
  const text = 'x'.repeat(3000);
  journal.append(
    1,
    Array.from({ length: 200 }, () => ({ kind: 'note', strategy: 'maker', text }) as const),
  );
  journal.close();
  const path = join(dir, 'journal.db');
  const db = new Database(path);
  db.exec('DROP TABLE archive; DROP TABLE archived_once; PRAGMA user_version = 2; PRAGMA journal_mode = DELETE');
  db.close();
  const file = openSync(path, 'r+');
  const middle = Math.floor(statSync(path).size / PAGE_BYTES / 2);
  writeSync(file, Buffer.alloc(PAGE_BYTES * 4, 0xff), 0, PAGE_BYTES * 4, middle * PAGE_BYTES);
  closeSync(file);
  return path;
}

const copies = (path: string): readonly string[] =>
  readdirSync(join(path, '..')).filter((name) => name.startsWith('journal.db.v'));

it('migration/copy-not-written/leaves-none', () => {
  const path = uncopyable();
  expect(() => openJournal(join(path, '..'))).toThrow(expect.objectContaining({ code: 'journal_corrupt' }));
  expect(copies(path)).toEqual([]);
});

it('migration/copy-not-written/keeps-the-one-before', () => {
  const path = uncopyable();
  const copy = migrationCopy(path, 2);
  writeFileSync(copy, 'whole');
  expect(() => openJournal(join(path, '..'))).toThrow(expect.objectContaining({ code: 'journal_corrupt' }));
  expect(copies(path)).toHaveLength(1);
  expect(readFileSync(copy, 'utf8')).toBe('whole');
});
