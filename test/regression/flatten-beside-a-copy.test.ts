/** `panic --flatten` sold a position twice where a restored backup or a copied folder lay beside its session. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import { holdings, type HoldingsOptions } from '../../src/session/emergency/panic-holdings.ts';
import { writePanicLine } from '../../src/session/emergency/panic-ledger.ts';
import { Problems } from '../../src/session/emergency/panic.ts';
import { backupSession, restoreSession } from '../../src/session/store/restore.ts';
import { createSession, type SessionFolder } from '../../src/session/store/store.ts';
import { freshFolder, run } from '../e2e/cli.ts';
import { BTC, HandClock, makeRig, START, type TestVenue } from '../execution/rig.ts';

const owner = { account: 'ada', exchange: 'venue' };
const buy = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '0.01' } as const;

let root = '';
let session: SessionFolder;
let venue: TestVenue;

/** A start of it buys 0.01. */
function buys(path: string, bootId: string, from?: TestVenue): TestVenue {
  const journal = openJournal(path);
  const rig = makeRig({ journal, bootId, ...(from === undefined ? {} : { venue: from }) });
  rig.executor.submit('maker', buy);
  const [newest] = [...rig.venue.orders.keys()].slice(-1);
  rig.venue.tellFill(newest ?? '', '0.01');
  journal.close();
  return rig.venue;
}

beforeEach(() => {
  root = join(freshFolder(), 'sessions');
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  session = createSession(root, { mode: 'live', strategies, seed: 1, ...owner, now: START, suffix: 'aaaa' });
  venue = buys(session.path, 'm1_aaaa_0_1');
});

async function held(): Promise<{ readonly quantities: readonly string[]; readonly doubts: readonly string[] }> {
  const { query } = venue;
  const orders: Pick<HoldingsOptions['exchange']['orders'], 'active' | 'history' | 'ownTrades'> = {
    active: () => query.activeOrders(),
    history: (request) => query.orderHistory(request),
    ownTrades: (request) => query.ownTrades(request),
  };
  const exchange = { orders, clockOffset: { estimate: undefined } };
  const clock = new HandClock();
  const options = { exchange, instruments: new Instruments([BTC]), root, owner, clock, clientOrderIds: true };
  const unread = new Problems();
  const found = await holdings(options as unknown as HoldingsOptions, unread, new Problems());
  return { quantities: found.map(({ quantity }) => quantity.toFixed()), doubts: unread.list() };
}

async function restored(): Promise<string> {
  const backup = join(root, '..', 'backup.db');
  await backupSession(session.path, backup, () => {});
  const copy = join(root, 'restored');
  await restoreSession(backup, copy, START + 1_000);
  return copy;
}

it('panic/flatten/counts-a-restored-copy-once', async () => {
  expect(await held()).toEqual({ quantities: ['0.01'], doubts: [] });
  const copy = await restored();
  expect(await held()).toEqual({ quantities: ['0.01'], doubts: [] });
  // What went on counts: the copy has bought again.
  buys(copy, 'm2_bbbb_0_2', venue);
  expect(await held()).toEqual({ quantities: ['0.02'], doubts: [] });
});

it('panic/flatten/counts-a-copied-folder-once', async () => {
  cpSync(session.path, `${session.path}.bak`, { recursive: true });
  expect(await held()).toEqual({ quantities: ['0.01'], doubts: [] });
});

it('panic/flatten/knows-what-it-sold-of-a-copy', async () => {
  const id = 'panic_x-1';
  const of = { session: session.record.id, strategy: 'maker', symbol: 'BTCUSDT', held: '0.01', at: START };
  const copy = await restored();
  writePanicLine(root, { kind: 'sending', id, ...owner, ...of, quantity: '-0.01' });
  writePanicLine(root, { kind: 'done', id, quantity: '-0.01', refused: false });
  expect(await held()).toEqual({ quantities: [], doubts: [] });
  buys(copy, 'm2_bbbb_0_2', venue);
  // Now the copy counts.
  expect((await held()).quantities).toEqual(['0.01']);
});

it('panic/flatten/closes-what-is-certain-where-both-went-on', async () => {
  const copy = await restored();
  buys(copy, 'm2_bbbb_0_2', venue);
  buys(session.path, 'm1_aaaa_0_3', venue);
  const { quantities, doubts } = await held();
  expect(quantities).toEqual(['0.02']);
  expect(doubts.join()).toContain('are copies of one session, and the second counts');
});

it('journal/restore/warns-where-the-original-lies-beside', async () => {
  const cwd = join(root, '..');
  await backupSession(session.path, join(cwd, 'backup.db'), () => {});
  const beside = await run(['journal', 'restore', 'backup.db', join(root, 'beside')], { cwd });
  expect(beside.code, beside.stderr).toBe(0);
  expect(beside.stderr).toContain(`warn ${session.path} is the same session`);
  const apart = await run(['journal', 'restore', 'backup.db', join(cwd, 'apart', 'new')], { cwd });
  expect(apart.stderr).not.toContain('warn');
});
