/** Where the witness of a journal knew rows that were lost, `status` said that it was flat and had not traded, `journal trades` that nothing was disposed of, and `approve-build` that this build had written it. */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';
import { makeRig, START } from '../execution/rig.ts';

const buy = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '0.01' } as const;

/** A session that bought and sold, and whose journal is again as it was before that. */
function withoutItsTrades(cwd: string): { readonly id: string; readonly now: () => void } {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const of = { mode: 'live', strategies, seed: 1, account: 'ada', exchange: 'venue', now: START, suffix: 'a' } as const;
  const { path, record } = createSession(join(cwd, 'data', 'sessions'), of);
  const file = join(path, 'journal.db');
  const older = join(cwd, 'older.db');
  openJournal(path).close();
  copyFileSync(file, older);
  const journal = openJournal(path);
  const { executor, venue } = makeRig({ journal });
  for (const side of ['buy', 'sell'] as const) executor.submit('maker', { ...buy, side });
  for (const orderId of venue.orders.keys()) venue.tellFill(orderId, '0.01');
  executor.close();
  journal.close();
  return { id: record.id, now: () => copyFileSync(older, file) };
}

it('journal/lost-rows/are-named-by-status-trades-and-approve-build', async () => {
  const cwd = freshFolder();
  const { id, now: lose } = withoutItsTrades(cwd);
  const statusOf = (...args: readonly string[]) => run(['status', ...args], { cwd });
  const [whole] = documentOf<{ readonly sessions: readonly object[] }>(await statusOf('--json')).sessions;
  expect(whole).toMatchObject({ fills: 2, lost: null });

  lose();
  const [row] = documentOf<{ readonly sessions: readonly object[] }>(await statusOf('--json')).sessions;
  expect(row).toMatchObject({ fills: 0, netPnl: null, lost: expect.stringContaining('are lost') });
  const text = (await statusOf()).stdout;
  expect(text).toContain('rows lost');
  expect(text).toContain('LOST: ');
  expect(text).not.toMatch(/did not trade|flat/);
  expect((await statusOf(id)).code).toBe(5);

  const trades = await run(['journal', 'trades', '--json'], { cwd });
  expect([trades.code, errorOf(trades).code]).toEqual([5, 'journal_rewound']);
  const approved = await run(['journal', 'approve-build', id, '--reason', 'update', '--json'], { cwd });
  expect([approved.code, errorOf(approved).code]).toEqual([5, 'journal_rewound']);

  // A copy of what is left is made, and says so.
  const backup = await run(['journal', 'backup', id, 'left.db', '--json'], { cwd });
  expect([backup.code, documentOf(backup)]).toMatchObject([
    5,
    { ok: false, doubt: expect.stringContaining('are lost') },
  ]);
  for (const command of ['export', 'show']) {
    const { code, stderr } = await run(['journal', command, id], { cwd });
    expect([code, stderr]).toEqual([command === 'export' ? 5 : 0, expect.stringContaining('journal_rewound')]);
  }
});

it('journal/changed-columns: are seen by verify, and so is a missing index', async () => {
  const cwd = freshFolder();
  const { id } = withoutItsTrades(cwd);
  const file = join(cwd, 'data', 'sessions', id, 'journal.db');
  const verify = async () => documentOf(await run(['journal', 'verify', id, '--json'], { cwd }));
  expect(await verify()).toMatchObject({ ok: true });
  const changed = (statement: string): void => {
    const db = new Database(file);
    db.exec(statement);
    db.close();
  };
  const { seq } = new Database(file, { readonly: true })
    .prepare<[], { seq: number }>("SELECT min(seq) AS seq FROM journal WHERE kind = 'fill'")
    .get()!;
  changed(`UPDATE journal SET kind = 'note' WHERE seq = ${seq}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: seq });
  changed(`UPDATE journal SET kind = 'fill', once = once || 'x' WHERE seq = ${seq}`);
  expect(await verify()).toMatchObject({ ok: false, brokenAt: seq });
  changed(`UPDATE journal SET once = rtrim(once, 'x') WHERE seq = ${seq}`);
  expect(await verify()).toMatchObject({ ok: true });
  changed('DROP INDEX journal_once');
  expect(await verify()).toMatchObject({ ok: false, brokenAt: 0 });
});
