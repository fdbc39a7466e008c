/**
 * Found by killing processes at every border: one that died between the creation of its journal and the first transaction
 * leaves an empty file, and `journal verify` called that broken (exit 5), as if rows had been lost.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';

const dir = mkdtempSync(join(tmpdir(), 'tidewire-empty-'));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('says of an empty journal that there is none yet, and a start goes on with it', () => {
  writeFileSync(join(dir, 'journal.db'), '');
  expect(() => verifyJournal(dir)).toThrow(expect.objectContaining({ code: 'journal_not_found' }));
  const journal = openJournal(dir);
  journal.append(1, [{ kind: 'note', strategy: 's', text: 'alive' }]);
  journal.close();
  expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 1 });
});
