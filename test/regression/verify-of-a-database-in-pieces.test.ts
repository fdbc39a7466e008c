/**
 * Found by strangers: `journal verify` of a database with many damaged pages printed all of SQLite's list, a line for
 * each page of each tree. It prints the first lines and how many more there are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { JOURNAL_FILE, openJournal } from '../../src/journal/sqlite-store.ts';
import { freshFolder, run } from '../e2e/cli.ts';

const PAGE_BYTES = 4_096;

it('journal/verify/bounds-what-sqlite-lists', async () => {
  const cwd = freshFolder();
  const store = openJournal(cwd);
  for (let row = 1; row <= 2_000; row++)
    store.append(row, [{ kind: 'note', strategy: 'maker', text: 'x'.repeat(900) }]);
  store.close();
  const path = join(cwd, JOURNAL_FILE);
  const bytes = readFileSync(path);
  // Leaves of the table: SQLite names each of them.
  for (let page = 20; page < 120; page++) bytes.fill(0xa5, page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
  writeFileSync(path, bytes);
  const text = await run(['journal', 'verify', path], { cwd });
  expect(text.code).toBe(5);
  const lines = text.stdout.trimEnd().split('\n');
  expect(lines[0]).toContain('broken at row 0');
  expect(lines[0]).toContain(path);
  expect(lines.length, text.stdout).toBeLessThanOrEqual(4);
  expect(lines.at(-1)).toMatch(/^… and \d+ more lines of SQLite$/);
  const json = await run(['journal', 'verify', path, '--json'], { cwd });
  expect(json.code).toBe(5);
  const { ok, brokenAt, problem } = JSON.parse(json.stdout) as { ok: boolean; brokenAt: number; problem: string };
  expect({ ok, brokenAt }).toEqual({ ok: false, brokenAt: 0 });
  expect(problem.split('\n').length).toBeLessThanOrEqual(4);
}, 60_000);
