/** Fills and results of the strategies of a session that is over, from its journal. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession, writeSession } from '../../src/session/store/store.ts';
import { BTC } from '../execution/rig.ts';
import { orderOf } from './journalled-order.ts';
import { Api } from './paper-session.ts';
import { SECRET, served, type Served } from './served.ts';

const FILLS = 1_100;
let here: Served;
let id: string;

beforeAll(async () => {
  here = await served();
  const start = 1_700_000_000_000;
  const strategies = ['steady', 'early'].map((tag) => ({ name: tag, tag, file: `${tag}.ts`, params: {} }));
  const wish = { mode: 'paper', strategies, seed: 1, account: 'paper', exchange: 'sandbox' } as const;
  const folder = createSession(here.root, { ...wish, now: start, suffix: 'x' });
  id = folder.record.id;
  const journal = openJournal(folder.path);
  let ts = start;
  journal.append(ts, [
    { kind: 'session', event: 'start', boot: 1, bootId: 'b1_1', facts: {} },
    { kind: 'instrument', spec: BTC },
  ]);
  // `early` trades before the newest thousand fills: a round for +1, and 0.01 that it holds from 100.
  const early = [
    ['buy', '200'],
    ['sell', '300'],
    ['buy', '100'],
  ] as const;
  let number = 0;
  for (const [side, price] of early) journal.append(++ts, orderOf('early', ++number, side, price, ts));
  // Rounds of 50 a unit.
  for (let i = 0; i < FILLS; i++)
    journal.append(++ts, orderOf('steady', ++number, i % 2 === 0 ? 'buy' : 'sell', i % 2 === 0 ? '100' : '150', ts));
  journal.append(++ts, [{ kind: 'session', event: 'stop', boot: 1, bootId: 'b1_1' }]);
  journal.close();
  writeSession(folder.path, { ...folder.record, clean: true, endedAt: ts });
});

afterAll(() => here.close());

it('bridge/strategies/each has all its fills and its own result, which sum up to that of the session', async () => {
  const api = new Api({ url: here.server.url, token: SECRET });
  const { strategies, netPnl, fills, fees } = await api.get<{
    strategies: readonly { tag: string; fills: number; netPnl: number }[];
    netPnl: number;
    fills: number;
    fees: number;
  }>(`/sessions/${id}`);
  const [steady, early] = strategies;
  expect([steady!.fills, early!.fills, fills]).toEqual([FILLS, 3, FILLS + 3]);
  expect(steady!.netPnl).toBeCloseTo((FILLS / 2) * 0.5 - FILLS * 0.01, 6);
  // At the last price, 150.
  expect(early!.netPnl).toBeCloseTo(1 + 0.5 - 3 * 0.01, 6);
  expect(steady!.netPnl + early!.netPnl).toBeCloseTo(netPnl, 6);
  expect(fees).toBeCloseTo((FILLS + 3) * 0.01, 6);
});
