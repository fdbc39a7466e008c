/**
 * `account.fillsSince` with a cursor that `state` brought from another session of the account. Found from outside: the example
 * of the documentation failed at the start after an orderly end.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { fillCursor } from '../../../src/model/trading/fill.ts';
import { filledElsewhere } from '../../../src/session/store/filled-elsewhere.ts';
import { createSession, type SessionFolder } from '../../../src/session/store/store.ts';
import { HandClock, makeRig, START, TestVenue, type Rig } from '../../execution/rig.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tidewire-fills-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const clock = new HandClock();
const venue = new TestVenue(clock, true);

function session(suffix: string, account = 'ada'): SessionFolder {
  const strategies = [{ name: 'maker', tag: 'maker', file: 'maker.ts', params: {} }];
  return createSession(root, { mode: 'live', strategies, seed: 1, account, exchange: 'venue', now: START, suffix });
}

/** A process of that session. */
function live(folder: SessionFolder, bootId: string, run: (rig: Rig) => void): void {
  const journal = openJournal(folder.path, { durability: 'normal' });
  run(makeRig({ clock, venue, journal, bootId, filledElsewhere: (tag) => filledElsewhere(folder, tag) }));
  journal.close();
}

/** The cursors of own fills, one an order. */
function buys(rig: Rig, quantities: readonly string[]): void {
  for (const quantity of quantities) {
    rig.executor.submit('maker', {
      kind: 'place',
      symbol: 'BTCUSDT',
      side: 'buy',
      type: 'limit',
      price: '59000',
      quantity,
    });
    const { orderId } = rig.venue.resting()[0]!;
    rig.venue.emit({ kind: 'fill', fill: rig.venue.fill(orderId, quantity) });
    clock.advance(1_000);
  }
}

const since = (rig: Rig, cursor?: string): readonly string[] =>
  rig.executor
    .account('maker')
    .fillsSince(cursor)
    .map(({ quantity }) => quantity);

it('begins after the fill of the other session, and has each later one once', () => {
  const [first, second] = [session('aaaa'), session('bbbb')];
  let cursor = '';
  live(first, 'b1', (rig) => {
    buys(rig, ['0.01', '0.02', '0.03']);
    cursor = fillCursor(rig.executor.account('maker').fillsSince(undefined)[0]!);
  });
  live(session('cccc', 'bob'), 'b2', (rig) => buys(rig, ['0.09']));
  live(second, 'b3', (rig) => {
    buys(rig, ['0.04']);
    expect(since(rig, cursor)).toEqual(['0.02', '0.03', '0.04']);
    expect(since(rig)).toEqual(['0.04']);
    expect(() => since(rig, 'BTCUSDT/none')).toThrow(expect.objectContaining({ code: 'fills_cursor_unknown' }));
  });
  // The first is resumed: what it books comes after what the second did.
  live(first, 'b4', (rig) => {
    buys(rig, ['0.05']);
    expect(since(rig, cursor)).toEqual(['0.02', '0.03', '0.05']);
  });
});
