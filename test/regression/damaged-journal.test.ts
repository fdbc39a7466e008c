/**
 * Found by fuzzing the files that are read back: commands that show a damaged journal (`status`, `journal show`, `why`) failed as
 * `internal`, which asks for a bug report, instead of naming the journal and the row.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { readJournal, readLandmarks } from '../../src/journal/verify.ts';

let dir = '';
let path = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tidewire-damaged-'));
  path = join(dir, JOURNAL_FILE);
  const store = openJournal(dir);
  for (let row = 1; row <= 200; row++) store.append(row, [{ kind: 'note', strategy: 'maker', text: 'x'.repeat(100) }]);
  store.append(201, [{ kind: 'restored', event: 'restored', reason: 'a test' }]);
  store.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const corrupt = expect.objectContaining({ code: 'journal_corrupt', exit: 5 });

it.each(['{"kind":"no', 'null', '7', '{}'])('names the row whose text is %s', (body) => {
  const db = new Database(path);
  db.prepare('UPDATE journal SET body = ?').run(body);
  db.close();
  expect(() => [...readJournal(path)]).toThrow(corrupt);
  expect(() => [...readJournal(path)]).toThrow(/row 1 /);
  expect(() => readLandmarks(path, 'restored')).toThrow(corrupt);
});

it('names the journal whose pages are damaged', () => {
  const bytes = readFileSync(path);
  // All but the first page, which says what the file is.
  writeFileSync(path, bytes.fill(0xa5, 8_192));
  expect(() => [...readJournal(path)]).toThrow(corrupt);
  expect(() => [...readJournal(path)]).toThrow(path);
});
