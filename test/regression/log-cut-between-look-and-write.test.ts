/**
 * The log was cut between the look at it and the next row. SQLite wrote that row behind the hole, and as the process ended,
 * it folded the log into the database, with zeros for every page in the hole: all earlier rows were gone, too.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { JOURNAL_FILE } from '../../src/journal/sqlite-store.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { freshDir } from '../recording/fixtures.ts';

const STORE = new URL('../../src/journal/sqlite-store.ts', import.meta.url).href;

it('leaves what was in the database as it was, also at the end of the process', async () => {
  const dir = freshDir();
  const code = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const log = ${JSON.stringify(join(dir, `${JOURNAL_FILE}-wal`))};
    const { readSync } = fs;
    let cuts = false;
    // The last thing that a look does is to read the newest frame.
    fs.readSync = (...of) => {
      const bytes = readSync(...of);
      if (cuts) fs.truncateSync(log, 0);
      cuts = false;
      return bytes;
    };
    syncBuiltinESMExports();
    const { openJournal } = await import(${JSON.stringify(STORE)});
    const append = (journal, row) => journal.append(row, [{ kind: 'state', key: 'at', value: String(row) }]);
    const before = openJournal(${JSON.stringify(dir)});
    for (let row = 1; row <= 300; row++) append(before, row);
    before.close();
    const journal = openJournal(${JSON.stringify(dir)});
    for (let row = 301; row <= 700; row++) append(journal, row);
    cuts = true;
    append(journal, 701);
    try {
      append(journal, 702);
    } catch (thrown) {
      console.log(thrown.code);
    }
    journal.close();
  `;
  const process_ = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said, [exit]] = await Promise.all([text(process_.stdout), once(process_, 'exit')]);
  expect(said).toBe('journal_gone\n');
  expect(exit).toBe(0);
  expect(verifyJournal(dir)).toMatchObject({ ok: true, rows: 300, problem: null });
});
