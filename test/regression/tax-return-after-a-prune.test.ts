/** After `data prune`, `journal trades` matched sales with lots that a deleted session had sold, and left out its disposals, without a word. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession, writeSession } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';
import { HandClock, makeRig, TestVenue } from '../execution/rig.ts';

const limit = { kind: 'place', symbol: 'BTCUSDT', type: 'limit' } as const;
const DAY = 86_400_000;

interface Trades {
  readonly sessions: readonly string[];
  readonly rows: readonly { readonly session: string; readonly result: string }[];
  readonly sums: readonly unknown[];
}

/** Live sessions on one account, a day apart, each with one trade. Returns their folders. */
function traded(
  cwd: string,
  trades: readonly (readonly ['buy' | 'sell', quantity: string, price: string])[],
): string[] {
  const clock = new HandClock();
  const venue = new TestVenue(clock, true);
  return trades.map(([side, quantity, price], index) => {
    const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
    const of = { mode: 'live', strategies, seed: 1, account: 'ada', exchange: 'venue', suffix: `${index}` } as const;
    const { path, record } = createSession(join(cwd, 'data', 'sessions'), { ...of, now: clock.now() });
    const journal = openJournal(path);
    const { executor } = makeRig({ journal, clock, venue, bootId: `b${index}` });
    executor.submit('maker', { ...limit, side, quantity, price });
    for (const { orderId } of venue.resting()) venue.tellFill(orderId, quantity);
    executor.close();
    journal.close();
    writeSession(path, { ...record, clean: true, left: index === 0, endedAt: clock.now() });
    clock.advance(DAY);
    return path;
  });
}

const SESSIONS = [
  ['buy', '0.01', '59000'],
  ['sell', '0.004', '60000'],
  ['sell', '0.006', '61000'],
  ['buy', '0.01', '60000'],
  ['sell', '0.01', '60100'],
] as const;

async function looked(cwd: string): Promise<Trades> {
  return documentOf<Trades>(await run(['journal', 'trades', '--json'], { cwd }));
}

async function pruned(
  cwd: string,
): Promise<Readonly<Record<'gone' | 'kept', readonly { path: string; needed: string }[]>>> {
  return documentOf(await run(['data', 'prune', '--journals', '30d', '--json'], { cwd }));
}

it('journal/trades/knows-the-trades-of-sessions-that-were-pruned', async () => {
  const cwd = freshFolder();
  const paths = traded(cwd, SESSIONS);
  const before = await looked(cwd);
  expect(before.rows.map(({ result }) => result)).toEqual(['4', '12', '1']);
  const { gone } = await pruned(cwd);
  expect(gone.map(({ path }) => join(cwd, path))).toEqual(paths.slice(1, 4));
  expect(await looked(cwd)).toEqual(before);
  // Again, with nothing left to delete, and of a deleted session alone.
  expect((await pruned(cwd)).gone).toEqual([]);
  const [, second] = before.sessions;
  const one = documentOf<Trades>(await run(['journal', 'trades', '--session', second ?? '', '--json'], { cwd }));
  expect(one).toMatchObject({ sessions: [second], rows: [{ session: second }] });

  const folder = join(cwd, 'data', 'sessions', '.trades');
  writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), 'nothing');
  const refused = await run(['journal', 'trades', '--json'], { cwd });
  expect([refused.code, errorOf(refused).code]).toEqual([5, 'pruned_trades']);
});

it('data/prune/keeps-a-live-session-whose-trades-cannot-be-read', async () => {
  const cwd = freshFolder();
  const [, edited = ''] = traded(cwd, SESSIONS);
  const db = new Database(join(edited, 'journal.db'));
  db.exec(
    `UPDATE journal SET body = replace(body, '"price":"60000"', '"price":"99999"') WHERE body LIKE '%"kind":"fill"%'`,
  );
  db.close();
  const { gone, kept } = await pruned(cwd);
  expect(gone).toHaveLength(2);
  const stays = kept.find(({ path }) => join(cwd, path) === edited);
  expect(stays?.needed).toContain('its journal cannot be read');
});
