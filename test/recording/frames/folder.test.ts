/** Where no folder can be made, a recording says so. Node's recursive way never comes back from there. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRecordingFolder } from '../../../src/recording/frames/folder.ts';
import { freshDir } from '../fixtures.ts';

const SOURCE = new URL('../../../src/', import.meta.url).href;

/** What the piece of a program prints; in a process of its own, since the fault is one that never ends. */
function printed(program: string): string {
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  expect(ended.signal).toBeNull();
  return ended.stdout;
}

test('folders above are made, and what is there stays', () => {
  const dir = freshDir();
  makeRecordingFolder(join(dir, 'a', 'b'));
  makeRecordingFolder(join(dir, 'a', 'b'));
  makeRecordingFolder(join(dir, 'a', 'c'));
  expect(readdirSync(join(dir, 'a')).toSorted()).toEqual(['b', 'c']);
});

test.runIf(existsSync('/proc/self'))('a recorder and an import say at once that nothing can be made there', () => {
  const recorded = printed(`
    const { createRecorder } = await import('${SOURCE}recording/frames/recorder.ts');
    const { createSystemClock } = await import('${SOURCE}session/clock/system-clock.ts');
    try { createRecorder({ dir: '/proc/nowhere/deep', clock: createSystemClock(), instruments: [] }); }
    catch (error) { console.log(error.code, error.message); }`);
  expect(recorded).toContain('recording_write_failed /proc/nowhere/deep: ENOENT');
  const imported = printed(`
    const { importRecording } = await import('${SOURCE}recording/importers/import.ts');
    const request = { format: 'candles-csv', files: ['/dev/null'], symbols: ['X'], out: '/proc/nowhere/deep', now: 0, intervalMs: 60000 };
    await importRecording(request).catch((error) => console.log(error.code, error.message));`);
  expect(imported).toContain('recording_write_failed /proc/nowhere/deep: ENOENT');
});
