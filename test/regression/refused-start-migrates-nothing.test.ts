/** A live start that was refused (`build_changed`) had already migrated the journal, so that the build which its hint names could not open it any more. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { migrationCopy } from '../../src/journal/migrate.ts';
import { SCHEMA_VERSION } from '../../src/journal/schema.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { configSchema } from '../../src/session/config/schema.ts';
import { openSessionJournal } from '../../src/session/start-up.ts';
import { createSession, listSessions, writeSession } from '../../src/session/store/store.ts';
import { HandClock } from '../execution/rig.ts';
import { errorOf, freshFolder, run, strategyFile } from '../e2e/cli.ts';

/** Nobody listens there. */
const EXCHANGE = 'http://127.0.0.1:9';
const KEYS = { TIDEWIRE_API_KEY: 'ab'.repeat(32), TIDEWIRE_API_SECRET: 'cd'.repeat(32) };
const NOW = 1_700_000_000_000;

/** A live session that another build of schema 2 has left in order, with something to go on with. */
function left(root: string): string {
  const strategies = [{ name: 'spread-maker', tag: 'spread-maker', file: strategyFile('spread-maker'), params: {} }];
  const of = {
    mode: 'live',
    strategies,
    seed: 1,
    account: 'alice',
    exchange: EXCHANGE,
    now: NOW,
    suffix: 'a',
  } as const;
  const { path, record } = createSession(root, of);
  writeSession(path, { ...record, clean: true, left: true, endedAt: NOW });
  const journal = openJournal(path);
  const facts = { account: 'alice', mode: 'live', exchange: EXCHANGE, build: '0.0.1+aaaaaaaaaaaa' };
  journal.append(NOW, [{ kind: 'session', event: 'start', boot: 1, bootId: 'b1', facts }]);
  journal.close();
  const db = new Database(join(path, 'journal.db'));
  db.exec('DROP TABLE archive; DROP TABLE archived_once; PRAGMA user_version = 2');
  db.close();
  return path;
}

function schemaOf(journal: string): unknown {
  const db = new Database(journal, { readonly: true });
  try {
    return db.pragma('user_version', { simple: true });
  } finally {
    db.close();
  }
}

/** Without SQLite's logs, which every reader makes. */
function filesOf(path: string): unknown {
  const names = readdirSync(path).filter((name) => !/-(wal|shm)$/.test(name));
  return [names.toSorted(), readFileSync(join(path, 'session.json'), 'utf8')];
}

function started(cwd: string): ReturnType<typeof run> {
  const addresses = `baseUrl: ${EXCHANGE}, gatewayUrl: ${EXCHANGE}, wsUrl: ws://127.0.0.1:9`;
  writeFileSync(join(cwd, 'c.yaml'), `exchange: { ${addresses} }\n`);
  const args = ['run', strategyFile('spread-maker'), '--config', 'c.yaml', '--live', '--confirm', 'alice', '--json'];
  return run(args, { cwd, env: KEYS });
}

it('journal/another-build/is-refused-before-it-is-opened', async () => {
  const path = left(freshFolder());
  const [folder] = listSessions(dirname(path));
  if (folder === undefined) throw new Error('no session');
  const config = configSchema.parse({});
  const start = { mode: 'live', config, folder, clock: new HandClock(), logger: silentLogger } as const;
  await expect(openSessionJournal(start)).rejects.toMatchObject({ code: 'build_changed' });
  expect(schemaOf(join(path, 'journal.db'))).toBe(2);
});

it('start/another-build/leaves-journal-and-record-as-they-were', async () => {
  const cwd = freshFolder();
  const path = left(join(cwd, 'data', 'sessions'));
  const journal = join(path, 'journal.db');
  const before = filesOf(path);
  const refused = await started(cwd);
  expect([refused.code, errorOf(refused).code], refused.stderr).toEqual([3, 'build_changed']);
  expect(schemaOf(journal)).toBe(2);
  expect(filesOf(path)).toEqual(before);

  // Only the approval migrates, and leaves the way back.
  const approved = await run(['journal', 'approve-build', path, '--reason', 'update'], { cwd });
  expect(approved.code, approved.stderr).toBe(0);
  expect(schemaOf(journal)).toBe(SCHEMA_VERSION);
  renameSync(migrationCopy(journal, 2), journal);
  expect(schemaOf(journal)).toBe(2);
});
