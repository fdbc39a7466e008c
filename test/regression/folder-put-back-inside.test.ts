/** A folder of a session that was moved away was made anew, so that the one put back landed inside and no command knew it. */
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createRecorder } from '../../src/recording/frames/recorder.ts';
import { systemClock } from '../../src/session/clock/system-clock.ts';
import { createSession } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run, strategyFile } from '../e2e/cli.ts';

it('recording/end/makes-no-folder-that-was-moved-away', async () => {
  const root = freshFolder();
  const folder = join(root, 'session');
  const recorder = createRecorder({ dir: join(folder, 'recording'), clock: systemClock, instruments: [] });
  recorder.frame('public', '{}', 1, 1);
  renameSync(folder, join(root, 'away'));
  const { failure } = await recorder.close();
  expect(failure?.code).toBe('recording_write_failed');
  expect(existsSync(folder)).toBe(false);
});

it('session/folder/too-deep-is-unreadable-for-status-and-starts', async () => {
  const cwd = freshFolder();
  const root = join(cwd, 'data', 'sessions');
  const strategies = [{ name: 'spread-maker', tag: 'spread-maker', file: 'm.ts', params: {} }];
  const of = {
    mode: 'paper',
    strategies,
    seed: 1,
    account: 'paper',
    exchange: 'sandbox',
    now: 1,
    suffix: 'a',
  } as const;
  const { path, record } = createSession(root, of);
  openJournal(path).close();
  const away = join(cwd, 'away');
  renameSync(path, away);
  mkdirSync(path);
  renameSync(away, join(path, record.id));

  const why = `the session stands one folder too deep, in ${join(path, record.id)}; move it up`;
  const status = documentOf(await run(['status', '--json'], { cwd }));
  expect(status['sessions']).toMatchObject([
    { id: record.id, state: 'unreadable', error: expect.stringContaining(why) },
  ]);
  for (const args of [
    ['plan', record.id],
    ['paper', strategyFile('spread-maker'), '--for', '1s'],
  ]) {
    const refused = await run([...args, '--json'], { cwd });
    expect(refused.code).toBe(5);
    expect(errorOf(refused)).toMatchObject({ code: 'session_unreadable', message: expect.stringContaining(why) });
  }
});
