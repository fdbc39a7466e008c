/**
 * Somebody looked at a session just as it was made (`status`, a watchdog): the reader called the journal corrupt, since it
 * had read the head before the first transaction and the tables after it, and the start itself failed with "database is
 * locked" while a reader was there.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openReadonly } from '../../src/journal/verify.ts';
import { JOURNAL_FILE } from '../../src/journal/sqlite-store.ts';
import { isTidewireError } from '../../src/model/errors.ts';
import { freshDir } from '../recording/fixtures.ts';

const JOURNALS = 60;
const STORE = new URL('../../src/journal/sqlite-store.ts', import.meta.url).href;

function makes(dir: string) {
  const code = `
    const { openJournal } = await import(${JSON.stringify(STORE)});
    for (let at = 0; at < ${JOURNALS}; at++) openJournal(${JSON.stringify(dir)} + '/' + at).close();
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'ignore', 'inherit'] });
}

it('is not there yet for who looks, and is made beside him', async () => {
  const dir = freshDir();
  const maker = makes(dir);
  const ended = once(maker, 'exit');
  const told = new Set<string>();
  for (let at = 0; at < JOURNALS && maker.exitCode === null; await turn()) {
    const path = join(dir, String(at), JOURNAL_FILE);
    if (!existsSync(path)) continue;
    try {
      openReadonly(path).close();
      at++;
    } catch (thrown) {
      const code = isTidewireError(thrown) ? thrown.code : String(thrown);
      if (code === 'journal_not_found') continue;
      told.add(code);
      at++;
    }
  }
  expect((await ended)[0]).toBe(0);
  expect([...told]).toEqual([]);
});
