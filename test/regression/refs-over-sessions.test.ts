/**
 * A ref is unique per strategy for ever. Found from outside: after an orderly end the next session of the account sent an order
 * of the same ref again.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { silentLogger } from '../../src/model/ports.ts';
import { takeOverKept } from '../../src/session/store/kept.ts';
import { createSession, writeSession, type SessionFolder } from '../../src/session/store/store.ts';
import { Refs } from '../../src/spine/orders/refs.ts';
import { HandClock, makeRig, TestVenue, type Rig } from '../execution/rig.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidewire-refs-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const clock = new HandClock();
const venue = new TestVenue(clock);

/** A process of a session, which ends in order. Answers how many rows its start added to what is kept. */
function live(folder: SessionFolder, bootId: string, fresh: boolean, run: (rig: Rig) => void): number {
  const journal = openJournal(folder.path, { durability: 'normal' });
  const rows = journal.lastSeq;
  const ranBefore = rows === 0 ? [] : ['maker'];
  takeOverKept(journal, folder, clock.now(), { ranBefore, logger: silentLogger, fresh });
  const added = journal.lastSeq - rows;
  run(makeRig({ clock, venue, journal, bootId }));
  journal.close();
  clock.advance(60_000);
  writeSession(folder.path, { ...folder.record, endedAt: clock.now(), clean: true });
  return added;
}

function session(suffix: string): SessionFolder {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  const of = { account: 'ada', exchange: 'venue', now: clock.now(), suffix };
  return createSession(root, { mode: 'live', strategies, seed: 1, ...of });
}

const refs = ({ events }: Rig): readonly string[] =>
  events.flatMap((event) => (event.kind === 'order' && event.order.state === 'open' ? [event.order.ref] : []));
const refused = ({ events }: Rig): readonly (string | undefined)[] =>
  events.flatMap((event) => (event.kind === 'denied' && event.denied.reason === 'duplicate_ref' ? [event.ref] : []));

function place(rig: Rig, ...of: readonly (string | undefined)[]): void {
  for (const [index, ref] of of.entries())
    rig.executor.submit('maker', {
      kind: 'place',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: String(59_000 + index),
      quantity: '0.01',
      ...(ref === undefined ? {} : { ref }),
    });
}

it.each([false, true])('is denied in the next session, and no generated one comes again (--new: %s)', (fresh) => {
  const first = session('aaaa');
  live(first, 'b1', false, (rig) => {
    place(rig, 'once', undefined, 'leg-1', 'leg-2', 'leg-9');
    expect(refs(rig)).toEqual(['once', 'maker-1', 'leg-1', 'leg-2', 'leg-9']);
  });
  const second = session('bbbb');
  live(second, 'b2', fresh, (rig) => {
    place(rig, 'once', undefined, 'leg-2', 'leg-3', 'leg-9');
    expect(refused(rig)).toEqual(['once', 'leg-2', 'leg-9']);
    expect(refs(rig)).toEqual(['maker-2', 'leg-3']);
  });
  // The third has what the first kept through the second, the first resumed what the second used meanwhile, both once.
  for (const [folder, more] of [
    [session('cccc'), 4],
    [first, 5],
  ] as const) {
    live(folder, `b${more}`, fresh, (rig) => {
      place(rig, 'once', 'leg-1', `leg-${more}`, undefined);
      expect(refused(rig)).toEqual(['once', 'leg-1']);
      expect(refs(rig)).toEqual([`leg-${more}`, `maker-${more - 1}`]);
    });
    expect(live(folder, `c${more}`, fresh, () => {})).toBe(0);
  }
});

it('what is taken over is what was used, whatever the order', () => {
  const ref = fc
    .tuple(fc.constantFrom('a', 'maker', 'maker-x'), fc.integer({ min: 0, max: 6 }))
    .map(([stem, count]) => ({
      text: count === 0 ? stem : `${stem}-${count}`,
      auto: count > 0 && stem !== 'a',
    }));
  fc.assert(
    fc.property(fc.array(ref), fc.array(ref), (theirs, ours) => {
      const of = (used: typeof theirs): Refs => {
        const made = new Refs();
        for (const { text, auto } of used) made.restore('maker', text, auto);
        return made;
      };
      const [whole, other, own] = [of([...theirs, ...ours]), of(theirs), of(ours)];
      own.takeOver('maker', other.beyond(own, 'maker', 'maker'));
      expect([own.entries(), own.chosen()]).toEqual([whole.entries(), whole.chosen()]);
      const none = other.beyond(own, 'maker', 'maker');
      expect(none).toEqual({ given: {}, runs: {}, others: [] });
    }),
  );
});
