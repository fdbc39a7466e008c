/**
 * Found by strangers: `journal show --kind bogus` showed nothing and `--last abc` the last 50 rows, both with 0, as if that
 * were the answer. They are wrong usage (2), and the allowed values are named.
 */
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { entryKinds } from '../../src/model/entries/entry-kinds.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';

function journalFolder(): string {
  const folder = freshFolder();
  const store = openJournal(folder);
  for (let row = 1; row <= 3; row++) store.append(row, [{ kind: 'note', strategy: 'maker', text: `note ${row}` }]);
  store.close();
  return folder;
}

it('journal/show/kind-that-does-not-exist', async () => {
  const cwd = journalFolder();
  const ended = await run(['journal', 'show', cwd, '--kind', 'bogus', '--json'], { cwd });
  expect(ended.code).toBe(2);
  const { code, message } = errorOf(ended);
  expect(code).toBe('usage');
  for (const kind of entryKinds) expect(message).toContain(kind);
  expect(ended.stderr).toContain('denial');
});

it.each(['abc', '0', '-1', '1.5', ''])('journal/show/last-of-%j', async (last) => {
  const cwd = journalFolder();
  const ended = await run(['journal', 'show', cwd, `--last=${last}`, '--json'], { cwd });
  expect(ended.code).toBe(2);
  expect(errorOf(ended)).toMatchObject({
    code: 'bad_option',
    message: `--last ${last} is not a whole number of 1 or more`,
  });
});

it('journal/show/right-values', async () => {
  const cwd = journalFolder();
  const shown = documentOf<{ rows: readonly { seq: number }[] }>(
    await run(['journal', 'show', cwd, '--kind', 'note', '--last', '2', '--json'], { cwd }),
  );
  expect(shown.rows.map(({ seq }) => seq)).toEqual([2, 3]);
});
