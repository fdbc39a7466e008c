/**
 * The end of `tradingHours`, or a cooldown, cancelled the resting levels of a dca and the resting entry of a bracket. Nothing
 * placed them again when the strategy might trade again, and meanwhile a program said that it waited for their fills.
 */
import { afterEach, expect, it } from 'vitest';
import { place } from '../../src/index.ts';
import { replayedPrograms } from '../../src/execution/programs/replayed-programs.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { replayOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { BTC, makeRig, tempDir, type Rig } from '../execution/rig.ts';
import { fills, programOf, programRig, resting, submit, SYMBOL } from '../programs/program-rig.ts';
import { actions, kinds } from '../programs/resting-programs.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const HOUR = 3_600_000;
/** The rig begins at 00:00. */
const limits = { tradingHours: ['00:00-08:00'] };
const OUTSIDE = 'outside its trading hours, until 2026-01-06T00:00:00.000Z';

/** The session values the account at least once a minute. */
function passes({ clock, executor }: Rig, ms: number): void {
  clock.advance(ms - 2_000);
  executor.valueAccount();
  clock.advance(2_000);
}

it.each(kinds)('programs/%s: what the end of the trading hours has cancelled rests again when they begin', (kind) => {
  const rig = programRig({ limits });
  submit(rig, actions[kind]);
  const before = resting(rig);
  const waited = programOf(rig).waitsFor;
  expect(before).not.toEqual([]);
  rig.clock.advance(2_000);
  for (let day = 6; day < 9; day++) {
    passes(rig, 8 * HOUR);
    expect(resting(rig)).toEqual([]);
    const until = `2026-01-0${day}T00:00:00.000Z`;
    expect(programOf(rig)).toMatchObject({ state: 'working', waitsFor: `outside its trading hours, until ${until}` });
    const heard = rig.events.flatMap((event) => (event.kind === 'program' ? [event.program.waitsFor] : []));
    expect(heard.at(-1)).toBe(`outside its trading hours, until ${until}`);
    passes(rig, 16 * HOUR);
    expect(resting(rig).toSorted()).toEqual(before.toSorted());
    expect(programOf(rig).waitsFor).toBe(waited);
  }
});

it.each(kinds)('programs/%s: also over a death as the hours end', (kind) => {
  const { dir, remove } = tempDir();
  const store = openJournal(dir);
  const first = programRig({ journal: store, limits });
  submit(first, actions[kind]);
  const before = resting(first);
  // It dies before the exchange has answered.
  first.venue.cancelMode = 'never-arrives';
  first.clock.advance(8 * HOUR);
  first.executor.valueAccount();
  store.close();
  first.venue.cancelMode = 'accept';
  const journal = openJournal(dir);
  cleanups.push(remove, () => journal.close());
  const { clock, venue } = first;
  const replay = replayRows(journal.read());
  expect(snapshotText(replayOf(snapshotText(replay)))).toBe(snapshotText(replay));
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC], risk: { priceCollar: 0.5 }, limits });
  rig.executor.goOn('maker');
  passes(rig, HOUR);
  expect(resting(rig)).toEqual([]);
  expect(programOf(rig).waitsFor).toBe(OUTSIDE);
  expect(replayedPrograms(replayRows(journal.read()))).toMatchObject([{ waitsFor: OUTSIDE }]);
  passes(rig, 15 * HOUR);
  expect(resting(rig).toSorted()).toEqual(before.toSorted());
  expect(stateHash(replayRows(journal.read()).state)).toBe(stateHash(rig.executor.state));
});

it('programs/bracket: after a restart with other hours it waits for those', () => {
  const { dir, remove } = tempDir();
  const store = openJournal(dir);
  const first = programRig({ journal: store, limits });
  submit(first, actions.bracket);
  passes(first, 8 * HOUR + 2_000);
  store.close();
  const journal = openJournal(dir);
  cleanups.push(remove, () => journal.close());
  const { clock, venue } = first;
  const other = { tradingHours: ['00:00-07:00', '10:00-24:00'] };
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC], risk: { priceCollar: 0.5 }, limits: other });
  rig.executor.goOn('maker');
  rig.executor.valueAccount();
  expect(programOf(rig).waitsFor).toBe('outside its trading hours, until 2026-01-05T10:00:00.000Z');
  passes(rig, 2 * HOUR);
  expect(resting(rig)).toEqual(['buy 0.02 @ 59000']);
});

it('programs/bracket: after a restart without hours it waits for its entry', () => {
  const { dir, remove } = tempDir();
  const store = openJournal(dir);
  const first = programRig({ journal: store, limits });
  submit(first, actions.bracket);
  passes(first, 8 * HOUR + 2_000);
  store.close();
  const journal = openJournal(dir);
  cleanups.push(remove, () => journal.close());
  const { clock, venue } = first;
  const rig = makeRig({ journal, clock, venue, bootId: 'b2', specs: [BTC], risk: { priceCollar: 0.5 } });
  rig.executor.goOn('maker');
  rig.executor.valueAccount();
  expect([programOf(rig).waitsFor, resting(rig)]).toEqual(['its entry', ['buy 0.02 @ 59000']]);
});

it('programs/bracket: its expiry counts outside the hours', () => {
  const rig = programRig({ limits });
  submit(rig, { ...actions.bracket, expire: '9h' });
  passes(rig, 8 * HOUR + 2_000);
  passes(rig, HOUR);
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'expired' });
  passes(rig, 15 * HOUR);
  expect(resting(rig)).toEqual([]);
});

it('programs/bracket: what has filled stays protected outside the hours', () => {
  const rig = programRig({ limits });
  submit(rig, actions.bracket);
  fills(rig, 'buy', undefined, '0.005');
  passes(rig, 8 * HOUR + 2_000);
  expect(resting(rig)).toEqual(['sell 0.005 @ 59590']);
  expect(programOf(rig).waitsFor).toBe(`an exit; ${OUTSIDE}`);
  passes(rig, 16 * HOUR);
  expect(resting(rig)).toEqual(['sell 0.005 @ 59590', 'buy 0.015 @ 59000']);
});

it('programs/bracket: an entry that a cooldown of the symbol has cancelled rests again after it', () => {
  const rig = programRig({ limits: { cooldown: { for: '30m', after: 'exit' } } });
  submit(rig, actions.bracket);
  submit(rig, place({ symbol: SYMBOL, side: 'buy', type: 'limit', quantity: '0.01', price: 60_000 }));
  fills(rig, 'buy');
  submit(rig, place({ symbol: SYMBOL, side: 'sell', type: 'limit', quantity: '0.01', price: 60_500 }));
  fills(rig, 'sell');
  rig.clock.advance(2_000);
  expect(resting(rig)).toEqual([]);
  expect(programOf(rig)).toMatchObject({
    state: 'working',
    waitsFor: 'a cooldown of its strategy, until 2026-01-05T00:30:00.000Z',
  });
  rig.clock.advance(30 * 60_000);
  expect([resting(rig), programOf(rig).waitsFor]).toEqual([['buy 0.02 @ 59000'], 'its entry']);
});
