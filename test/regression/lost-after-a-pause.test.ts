/**
 * A pause cancelled the resting levels of a dca and the resting entry of a bracket, and nothing placed them again after
 * `resume`: the levels were lost for ever, and the bracket ended "the entry ended without a fill".
 */
import { afterEach, expect, it } from 'vitest';
import { bracket } from '../../src/index.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { replayOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { BTC, makeRig, tempDir, type Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, rests, submit, SYMBOL } from '../programs/program-rig.ts';
import { actions, kinds } from '../programs/resting-programs.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const risk = { priceCollar: 0.5 };

function pause({ executor }: Rig, on: boolean): void {
  executor.human.pause('maker', on, 'news');
}

it.each(kinds)('programs/%s: what a pause has cancelled rests again after it', (kind) => {
  const rig = programRig();
  submit(rig, actions[kind]);
  const before = resting(rig);
  expect(before).not.toEqual([]);
  for (let round = 0; round < 7; round++) {
    pause(rig, true);
    rig.clock.advance(60_000);
    expect(resting(rig)).toEqual([]);
    expect(programOf(rig)).toMatchObject({ state: 'working', waitsFor: 'paused: resume maker' });
    pause(rig, false);
    rig.clock.advance(2_000);
    expect(resting(rig).toSorted()).toEqual(before.toSorted());
  }
});

it.each(kinds)('programs/%s: also over a death during the pause', (kind) => {
  const { dir, remove } = tempDir();
  const store = openJournal(dir);
  const first = programRig({ journal: store });
  submit(first, actions[kind]);
  const before = resting(first);
  // It dies before the exchange has answered.
  first.venue.cancelMode = 'never-arrives';
  pause(first, true);
  store.close();
  first.venue.cancelMode = 'accept';
  const journal = openJournal(dir);
  cleanups.push(remove, () => journal.close());
  const { clock, venue } = first;
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC], risk });
  rig.executor.goOn('maker');
  clock.advance(60_000);
  expect(resting(rig)).toEqual([]);
  const replay = replayRows(journal.read());
  expect(snapshotText(replayOf(snapshotText(replay)))).toBe(snapshotText(replay));
  pause(rig, false);
  clock.advance(2_000);
  expect(resting(rig).toSorted()).toEqual(before.toSorted());
  expect(stateHash(replayRows(journal.read()).state)).toBe(stateHash(rig.executor.state));
});

it('programs/bracket: the rest of an entry rests again, and its exits work all the while', () => {
  const rig = programRig();
  submit(rig, actions.bracket);
  fills(rig, 'buy', undefined, '0.005');
  pause(rig, true);
  expect(resting(rig)).toEqual(['sell 0.005 @ 59590']);
  pause(rig, false);
  rig.clock.advance(2_000);
  expect(resting(rig)).toEqual(['sell 0.005 @ 59590', 'buy 0.015 @ 59000']);
  fills(rig, 'buy');
  expect(resting(rig)).toEqual(['sell 0.02 @ 59590']);
});

it('programs/dca: its exit works during the pause, and a level that has filled is not placed again', () => {
  const rig = programRig();
  submit(rig, actions.dca);
  rig.venue.tellFill(rig.venue.resting()[0]?.orderId ?? '', '0.01');
  pause(rig, true);
  expect(resting(rig)).toHaveLength(1);
  pause(rig, false);
  rig.clock.advance(2_000);
  expect(resting(rig).map((text) => text.slice(0, 9))).toEqual(['sell 0.01', 'buy 0.02 ']);
});

it('programs/bracket: its expiry counts during the pause', () => {
  const rig = programRig();
  submit(rig, { ...actions.bracket, expire: '30s' });
  pause(rig, true);
  rig.clock.advance(31_000);
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'expired' });
});

it('programs/bracket: an entry that the exchange has ended before the pause stays ended', () => {
  const rig = programRig();
  submit(rig, actions.bracket);
  const { orderId } = rests(rig, 'buy');
  rig.venue.end(orderId, 'expired');
  rig.venue.tell(orderId);
  pause(rig, true);
  pause(rig, false);
  rig.clock.advance(2_000);
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'the entry ended without a fill' });
});

it('programs/bracket: a market entry that a pause holds back leaves after it', () => {
  const rig = programRig();
  rig.venue.queueing = true;
  submit(rig, bracket({ entry: { symbol: SYMBOL, side: 'buy', type: 'market', quantity: '0.02' }, stopLoss: 58_000 }));
  pause(rig, true);
  rig.venue.release();
  rig.clock.advance(2_000);
  expect(programOf(rig)).toMatchObject({ state: 'working' });
  expect(rig.venue.creates()).toEqual([]);
  rig.venue.queueing = false;
  pause(rig, false);
  rig.clock.advance(2_000);
  expect(rig.venue.creates()).toMatchObject([{ type: 'market', quantity: '0.02' }]);
});

it('programs/bracket: an entry that fills while the pause cancels it is not placed again', () => {
  const rig = programRig();
  submit(rig, actions.bracket);
  const entry = rests(rig, 'buy');
  rig.venue.queueing = true;
  pause(rig, true);
  rig.venue.tellFill(entry.orderId, '0.02');
  rig.venue.queueing = false;
  rig.venue.release();
  pause(rig, false);
  rig.clock.advance(2_000);
  expect(resting(rig)).toEqual(['sell 0.02 @ 59590']);
});

// Found from outside: what the levels had bought stood without an order at the exchange for the whole pause.
it('programs/grid: what closes a cell stays in a pause, and what opens one comes back after it', () => {
  const rig = programRig();
  submit(rig, actions.grid);
  fills(rig, 'buy');
  const closes = resting(rig).filter((order) => order.startsWith('sell'));
  expect(closes).toHaveLength(1);
  pause(rig, true);
  rig.clock.advance(60_000);
  expect(resting(rig)).toEqual(closes);
  expect(programOf(rig)).toMatchObject({ state: 'working', waitsFor: expect.stringContaining('paused: resume maker') });
  pause(rig, false);
  rig.clock.advance(2_000);
  expect(resting(rig).length).toBeGreaterThan(closes.length);
});
