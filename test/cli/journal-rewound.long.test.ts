/**
 * A journal that nobody marked, as a user meets it: a live session against a sandbox in a process of its own is killed, its
 * write-ahead log is lost, and everything that looks at the session says so until a human has acknowledged it.
 */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { documentOf, errorOf, freshFolder, run, start, type Ended } from '../e2e/cli.ts';
import { callCli } from './call-cli.ts';
import { ladder } from './ladder.ts';
import { startExchange, writeExchangeConfig } from '../e2e/exchange-process.ts';
import { entriesOf, sessions } from '../e2e/session-view.ts';

interface Plan {
  readonly refuse: readonly { readonly reason: string; readonly message: string; readonly needsHuman: boolean }[];
}

interface Checks {
  readonly checks: readonly { readonly name: string; readonly state: string; readonly text: string }[];
}

it('a session whose log was lost takes no new risk, and everything that looks at it says so until it is acknowledged', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'ladder.ts');
  writeFileSync(strategy, ladder(20));
  const call = async (...argv: string[]): Promise<Ended> => {
    const { code, stdout, stderr } = await callCli([...argv, '--json'], cwd, { env: exchange.keys });
    return { code, signal: null, stdout, stderr };
  };
  const configured = (...argv: string[]): Promise<Ended> => call(...argv, '--config', config);
  const args = ['run', strategy, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const live = start(args, { cwd, env: exchange.keys });
  const told = (path: string): number => Number(readFileSync(join(path, 'journal.witness'), 'utf8').split(' ')[2]);
  await live.during('two orders', async () => ((await exchange.activeOrders()).length >= 2 ? true : undefined));
  const [running] = await sessions(cwd);
  const id = running?.id ?? '';
  const path = running?.path ?? '';
  const rows = entriesOf(path, 'intent').length;
  // What stood there a moment ago has been told.
  await live.during('a word to the witness', async () => (told(path) > rows ? true : undefined));
  await live.signal('SIGKILL');
  const active = (await exchange.activeOrders()).length;
  const before = await configured('plan');
  expect(documentOf<Plan>(before).refuse).toEqual([]);

  for (const suffix of ['-wal', '-shm']) rmSync(join(path, `journal.db${suffix}`));
  const verified = await call('journal', 'verify', id);
  expect(verified.code).toBe(5);
  expect(documentOf(verified)).toMatchObject({ ok: false, code: 'journal_rewound' });
  const doctor = documentOf<Checks>(await configured('doctor'));
  expect(doctor.checks).toContainEqual(
    expect.objectContaining({ name: 'journal', state: 'fail', text: expect.stringContaining('journal_rewound') }),
  );
  // Nothing is left that says what was traded, so that nothing may be found to agree, and nothing be acknowledged.
  for (const what of [['plan'], ['reconcile'], ['journal', 'acknowledge', id, '--reason', 'seen']]) {
    const looked = what[0] === 'journal' ? await call(...what) : await configured(...what);
    expect(looked.code).not.toBe(0);
    expect(errorOf(looked)).toMatchObject({ message: expect.stringMatching(/no row is left|no restore/) });
  }
  const afresh = errorOf(await run([...args, '--new', '--for', '1s'], { cwd, env: exchange.keys }));
  expect(afresh).toMatchObject({ code: 'session_unfinished', message: expect.stringContaining('were written') });

  // It goes on, sends nothing new, knows its orders again, and cancels them at its end.
  const careful = await run([...args, '--for', '2s'], { cwd, env: exchange.keys });
  expect(careful.stderr).toContain(`resuming ${id}`);
  const creates = entriesOf(path, 'intent').filter((entry) => entry.command === 'create');
  expect(creates).toHaveLength(active);
  for (const intent of creates) expect(intent).toHaveProperty('adoptedFrom');
  expect(await exchange.activeOrders()).toEqual([]);
  expect((await exchange.orderHistory()).length).toBe(active);
  expect(new Set(entriesOf(path, 'denial').map(({ reason }) => reason))).toEqual(new Set(['restored']));

  expect((await call('journal', 'acknowledge', id, '--reason', 'compared')).code).toBe(0);
  expect(documentOf(await call('journal', 'verify', id))).toMatchObject({ ok: true });
}, 60_000);

it('a session whose whole folder is an older copy is told of it by its own orders at the exchange', async () => {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line);
  const strategy = join(cwd, 'ladder.ts');
  writeFileSync(strategy, ladder(20));
  const args = ['run', strategy, '--config', config, '--live', '--confirm', exchange.user.login, '--json'];
  const live = start(args, { cwd, env: exchange.keys });
  const isAtLeast = (count: number) => async (): Promise<true | undefined> =>
    (await exchange.activeOrders()).length >= count ? true : undefined;
  await live.during('two orders', isAtLeast(2));
  const [running] = await sessions(cwd);
  const path = running?.path ?? '';
  const copy = join(cwd, 'copy');
  cpSync(path, copy, { recursive: true });
  const copied = entriesOf(copy, 'intent').length;
  await live.during('two more', isAtLeast(copied + 2));
  await live.signal('SIGKILL');
  const active = (await exchange.activeOrders()).length;
  rmSync(path, { recursive: true });
  cpSync(copy, path, { recursive: true });

  const { code, stdout } = await callCli(['plan', '--json', '--config', config], cwd, { env: exchange.keys });
  expect(code).toBe(5);
  const { refuse } = documentOf<Plan>({ code, signal: null, stdout, stderr: '' });
  expect(refuse).toMatchObject([
    { reason: 'restored', needsHuman: true, message: expect.stringContaining("has this session's prefix") },
  ]);

  const again = start(args, { cwd, env: exchange.keys });
  const isDenied = (): true | undefined =>
    entriesOf(path, 'denial').some(({ reason }) => reason === 'restored') ? true : undefined;
  await again.during('an order that is denied for it', isDenied);
  const careful = await again.signal('SIGINT');
  expect(careful.stderr).toContain('journal_rewound');
  const creates = entriesOf(path, 'intent').filter((entry) => entry.command === 'create');
  expect(creates).toHaveLength(active);
  expect(creates.filter((entry) => 'adoptedFrom' in entry)).toHaveLength(active - copied);
  expect(await exchange.activeOrders()).toEqual([]);
}, 60_000);
