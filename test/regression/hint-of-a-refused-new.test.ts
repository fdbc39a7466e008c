/** Found by a stranger: the start of a killed live session said "--new starts afresh", and `--new` was refused (`session_unfinished`). */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorOf, freshFolder, run, start, strategyFile } from '../e2e/cli.ts';
import { startMaker } from '../e2e/live-maker.ts';
import { entriesOf } from '../e2e/session-view.ts';

it('is not given for a live session', async () => {
  const { cwd, args, env, bot, session } = await startMaker();
  await bot.signal('SIGKILL');
  const fresh = await run([...args, '--new'], { cwd, env });
  expect([fresh.code, errorOf(fresh).code], fresh.stderr).toEqual([3, 'session_unfinished']);
  const again = start(args, { cwd, env });
  await again.during('its second start', () =>
    entriesOf(session.path, 'session').filter(({ event }) => event === 'start').length > 1 ? true : undefined,
  );
  const { stderr } = await again.signal('SIGTERM');
  expect(stderr).toContain(`resuming ${session.record.id}, which did not end orderly\n`);
  expect(stderr).not.toContain('--new');
}, 60_000);

it('is given on paper, where it works', async () => {
  const cwd = freshFolder();
  const root = join(cwd, 'data', 'sessions');
  const paper = ['paper', strategyFile('spread-maker'), '--for', '1s'];
  const bot = start(paper, { cwd });
  const id = await bot.during('a session', () => (existsSync(root) ? readdirSync(root)[0] : undefined));
  await bot.during('its journal', () => (existsSync(join(root, id, 'journal.db')) ? true : undefined));
  await bot.signal('SIGKILL');
  expect((await run(paper, { cwd })).stderr).toContain(
    `resuming ${id}, which did not end orderly (--new starts afresh)\n`,
  );
  expect((await run([...paper, '--new'], { cwd })).stderr).not.toContain('resuming');
}, 60_000);
