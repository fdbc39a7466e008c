/** `journal trades` printed sums from a journal with an edited row, and ended with 0. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { journalPath } from '../../src/journal/verify.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { createSession } from '../../src/session/store/store.ts';
import { documentOf, errorOf, freshFolder, run } from '../e2e/cli.ts';
import { makeRig, START } from '../execution/rig.ts';

const buy = { kind: 'place', symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '60000', quantity: '0.01' } as const;

it('journal/trades/refuses-an-edited-row', async () => {
  const cwd = freshFolder();
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const of = { mode: 'live', strategies, seed: 1, account: 'ada', exchange: 'venue', now: START, suffix: 'a' } as const;
  const { path } = createSession(join(cwd, 'data', 'sessions'), of);
  const journal = openJournal(path);
  const { executor, venue } = makeRig({ journal });
  executor.submit('maker', buy);
  venue.tellFill([...venue.orders.keys()][0] ?? '', '0.01');
  executor.submit('maker', { ...buy, side: 'sell' });
  venue.tellFill([...venue.orders.keys()][1] ?? '', '0.01');
  journal.close();
  const trades = () => run(['journal', 'trades', '--json'], { cwd });
  expect(documentOf(await trades())).toMatchObject({ sums: [{ disposals: 1, proceeds: '600' }] });

  const db = new Database(journalPath(path));
  const edit = `UPDATE journal SET body = replace(body, '"price":"60000"', '"price":"99999"') WHERE seq = (SELECT max(seq) FROM journal WHERE body LIKE '%"kind":"fill"%')`;
  expect(db.prepare(edit).run().changes).toBe(1);
  db.close();
  const refused = await trades();
  expect(refused.code, refused.stdout).toBe(5);
  expect(errorOf(refused).code).toBe('journal_corrupt');
});
