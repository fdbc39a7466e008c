/** The newest fills of a session that is over, over more entries than the server keeps. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { olderFills } from '../../src/bridge/replica/older-fills.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalEntry, JournalRow } from '../../src/model/entries/journal.ts';
import { createSession, writeSession } from '../../src/session/store/store.ts';
import { BTC } from '../execution/rig.ts';
import { orderOf } from './journalled-order.ts';
import { Api } from './paper-session.ts';
import { SECRET, served, type Served } from './served.ts';

interface Page {
  readonly fills: readonly { readonly tradeId: string; readonly ref: string | null; readonly seq: number }[];
  readonly next: number;
}

const START = 1_700_000_000_000;
const NOTES = 25_000;
let here: Served;
let path: string;

beforeAll(async () => {
  here = await served();
  const strategies = [{ name: 'one', tag: 'one', file: 'one.ts', params: {} }];
  const wish = { mode: 'paper', strategies, seed: 1, account: 'paper', exchange: 'sandbox' } as const;
  const folder = createSession(here.root, { ...wish, now: START, suffix: 'x' });
  path = `/sessions/${folder.record.id}`;
  const journal = openJournal(folder.path);
  journal.append(START, [
    { kind: 'session', event: 'start', boot: 1, bootId: 'b1_1', facts: {} },
    { kind: 'instrument', spec: BTC },
  ]);
  for (const number of [1, 2, 3]) journal.append(START + number, orderOf('one', number, 'buy', '100', START + number));
  const note: JournalEntry = { kind: 'record', name: 'note', data: 0 };
  journal.append(
    START + 4,
    Array.from({ length: NOTES }, () => note),
  );
  for (const number of [5, 6]) journal.append(START + number, orderOf('one', number, 'sell', '100', START + number));
  journal.append(START + 7, [{ kind: 'session', event: 'stop', boot: 1, bootId: 'b1_1' }]);
  journal.close();
  writeSession(folder.path, { ...folder.record, clean: true, endedAt: START + 7 });
});

afterAll(() => here.close());

it('bridge/fills/those of long before are listed, with their order, and next says where to go on', async () => {
  const api = new Api({ url: here.server.url, token: SECRET });
  const read = (query = ''): Promise<Page> => api.get<Page>(`${path}/fills${query}`);
  const { fills: counted, seq } = await api.get<{ fills: number; seq: number }>(path);
  const all = await read();
  expect(all.fills.map(({ tradeId, ref }) => [tradeId, ref])).toEqual(
    [1, 2, 3, 5, 6].map((number) => [`t${number}`, `one-${number}`]),
  );
  expect([all.fills.length, all.next]).toEqual([counted, seq]);
  const pages: string[][] = [];
  let after = 0;
  while (after < seq) {
    const { fills, next } = await read(`?after=${after}&limit=2`);
    pages.push(fills.map(({ tradeId }) => tradeId));
    after = next;
  }
  expect(pages).toEqual([['t1', 't2'], ['t3', 't5'], ['t6']]);
  expect((await read('?limit=2')).fills.map(({ tradeId }) => tradeId)).toEqual(['t5', 't6']);
});

it('bridge/fills/reading backwards ends with the fills that are wanted and their orders', async () => {
  // Order 1 is decided in row 1, and fills far behind it.
  const [intent, , fill] = orderOf('one', 1, 'buy', '100', START);
  const [intent2, , fill2] = orderOf('one', 2, 'buy', '100', START);
  const at: Readonly<Record<number, JournalEntry | undefined>> = {
    5: intent,
    30_000: fill,
    70_000: intent2,
    70_001: fill2,
  };
  const asked: number[] = [];
  const read = (from: number, to: number): JournalRow[] => {
    asked.push(from);
    return Object.entries(at).flatMap(([seq, entry]) =>
      Number(seq) >= from && Number(seq) < to && entry !== undefined ? [{ seq: Number(seq), ts: START, entry }] : [],
    );
  };
  expect((await olderFills(read, 80_001, 1)).map(({ ref }) => ref)).toEqual(['one-2']);
  expect(asked).toEqual([60_001]);
  expect((await olderFills(read, 80_001, 2)).map(({ ref }) => ref)).toEqual(['one-1', 'one-2']);
});
