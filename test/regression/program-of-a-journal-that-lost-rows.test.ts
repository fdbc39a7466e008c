/**
 * A program does not go on by a journal that has lost rows, since what its orders did is not known: it ends as failed, also after
 * the restore was acknowledged. Nothing held this but a law of the simulator, which now forgets what lost rows did.
 */
import { expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalEntry } from '../../src/model/entries/journal.ts';
import { stop } from '../../src/strategy/programs.ts';
import { freshDir } from '../recording/fixtures.ts';
import { programOf, programRig, SYMBOL, submit } from '../programs/program-rig.ts';

const guard = stop({
  ref: 'guard',
  symbol: SYMBOL,
  side: 'sell',
  quantity: '0.01',
  trigger: '59000',
  reduceOnly: false,
});
const restored: JournalEntry = { kind: 'restored', event: 'restored', reason: 'test' };
const acknowledged: JournalEntry = { kind: 'restored', event: 'acknowledged', reason: 'test' };

it.each<[string, readonly JournalEntry[], string]>([
  ['goes on by a whole journal', [], 'working'],
  ['ends where rows may be missing', [restored], 'failed'],
  ['ends where it is acknowledged that rows are missing', [restored, acknowledged], 'failed'],
])('a program %s', (_, entries, state) => {
  const dir = freshDir();
  const before = openJournal(dir);
  const first = programRig({ journal: before });
  submit(first, guard);
  expect(programOf(first).state).toBe('working');
  before.close();
  const journal = openJournal(dir);
  const [last] = journal.read(journal.lastSeq);
  for (const entry of entries) journal.append((last?.ts ?? 0) + 1_000, [entry]);
  const rig = programRig({ journal, venue: first.venue, clock: first.clock, bootId: 'b2' });
  rig.executor.goOn('maker');
  expect(programOf(rig, 'guard').state).toBe(state);
  journal.close();
});
