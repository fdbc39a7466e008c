/** A journal of a schema that this version does not know was read as if it were known: `status`, `journal trades`, `export` and `verify` answered from the rows that they found. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { SCHEMA_VERSION } from '../../src/journal/schema.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';

it('journal/newer-schema/is-refused-by-readers', async () => {
  const cwd = freshFolder();
  const of = { mode: 'live', seed: 1, account: 'ada', exchange: 'venue', now: 1, suffix: 'a' } as const;
  const { path, record } = createSession(join(cwd, 'data', 'sessions'), { ...of, strategies: [] });
  const journal = openJournal(path);
  journal.append(1, [{ kind: 'note', strategy: 'maker', text: 'newer' }]);
  journal.close();
  const db = new Database(join(path, 'journal.db'));
  db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
  db.close();

  const { id } = record;
  for (const words of [
    ['journal', 'trades'],
    ['journal', 'show', id],
    ['journal', 'export', id],
    ['journal', 'verify', id],
    ['journal', 'backup', id, 'backup.db'],
    ['journal', 'approve-build', id, '--reason', 'update'],
    ['programs', '--session', id],
  ]) {
    const refused = await run([...words, '--json'], { cwd });
    expect([refused.code, errorOf(refused).code], words.join(' ')).toEqual([5, 'journal_newer']);
  }
  const status = await run(['status', id, '--json'], { cwd });
  expect(status.code).toBe(5);
  expect(documentOf(status)).toMatchObject({
    sessions: [{ id, state: 'unreadable', error: expect.stringContaining('journal_newer') }],
  });
});
