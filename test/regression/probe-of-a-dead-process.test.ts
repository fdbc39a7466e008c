/**
 * Found by strangers: a process killed at its start, in the probe of durable writes, left `.probe-PID` in the folder for
 * ever. The next start removes the files of processes that are gone, and no others.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, freshFolder, run, start, strategyFile } from '../e2e/cli.ts';

function probesIn(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.probe-'));
}

/** The number of a process that has ended. */
function gone(): number {
  return spawnSync(process.execPath, ['--version']).pid;
}

it('disk/probe/removes-what-dead-processes-left', async () => {
  const cwd = freshFolder();
  const sessions = join(cwd, 'data', 'sessions');
  mkdirSync(sessions, { recursive: true });
  const alive = `.probe-${process.pid}`;
  for (const name of [`.probe-${gone()}`, alive, '.probe-notes']) writeFileSync(join(sessions, name), '');
  const doctor = await run(['doctor', '--json'], { cwd });
  expect(documentOf<{ checks: readonly { name: string }[] }>(doctor).checks.map(({ name }) => name)).toContain('fsync');
  expect(probesIn(sessions).toSorted()).toEqual([alive, '.probe-notes'].toSorted());
});

it('disk/probe/of-a-session-that-is-resumed', async () => {
  const cwd = freshFolder();
  const sessions = join(cwd, 'data', 'sessions');
  const paper = ['paper', strategyFile('spread-maker'), '--for', '2s'];
  const first = start(paper, { cwd });
  const id = await first.during('a session', () => (existsSync(sessions) ? readdirSync(sessions)[0] : undefined));
  const folder = join(sessions, id);
  await first.during('its journal', () => (existsSync(join(folder, 'journal.db')) ? true : undefined));
  await first.signal('SIGKILL');
  writeFileSync(join(folder, `.probe-${gone()}`), '');
  const second = await run(paper, { cwd });
  expect(second.stderr).toContain(`resuming ${id}`);
  expect(probesIn(folder)).toEqual([]);
});
