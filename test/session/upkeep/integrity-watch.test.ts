/** The weekly check in a session that does not end: on its own thread, while the journal is being written. */
import { mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { checkWhole, watchIntegrity } from '../../../src/session/upkeep/integrity-watch.ts';
import { HandClock } from '../../execution/rig.ts';

const DAY_MS = 24 * 3_600_000;
const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-whole-'));
  dirs.push(dir);
  return dir;
}

it('is made once a week while the session writes, and no more after its end', async () => {
  const dir = tempDir();
  const journal = openJournal(dir);
  const clock = new HandClock();
  const told: (string | null)[] = [];
  let next = Promise.withResolvers<void>();
  const stop = watchIntegrity({
    file: join(dir, 'journal.db'),
    clock,
    failed: (reason) => next.reject(new Error(reason)),
    told: (found) => {
      told.push(found);
      next.resolve();
    },
  });
  clock.advance(6 * DAY_MS);
  journal.append(clock.now(), [{ kind: 'note', strategy: 's', text: 'six days' }]);
  expect(told).toEqual([]);
  clock.advance(DAY_MS);
  journal.append(clock.now(), [{ kind: 'note', strategy: 's', text: 'seven days' }]);
  await next.promise;
  next = Promise.withResolvers();
  clock.advance(7 * DAY_MS);
  await next.promise;
  expect(told).toEqual([null, null]);
  stop();
  clock.advance(70 * DAY_MS);
  expect(told).toHaveLength(2);
  journal.close();
});

it('says what is wrong with a journal whose pages are gone', async () => {
  const dir = tempDir();
  const journal = openJournal(dir);
  for (let row = 0; row < 50; row++) journal.append(row, [{ kind: 'note', strategy: 's', text: 'x'.repeat(2_000) }]);
  journal.close();
  const file = join(dir, 'journal.db');
  expect(await checkWhole(file)).toBeNull();
  truncateSync(file, 16 * 4096);
  expect(await checkWhole(file)).toMatch(/malformed|page|corrupt/);
});
