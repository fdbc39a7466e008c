/** What a start asks of a journal before it trusts it, and what the journal says of gates. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { requireOwnJournal } from '../../src/execution/start.ts';
import { Replay } from '../../src/spine/replay.ts';
import type { GateEntry, JournalStore } from '../../src/model/entries/journal.ts';
import type { GateClosure } from '../../src/model/ports.ts';
import { denials, makeRig, tempDir } from './rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const place = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const;

describe('whose journal it is', () => {
  it('is said by the first process that names an account, and no other account may go on with it', () => {
    const replay = new Replay();
    const start = { kind: 'session', event: 'start', bootId: 'b' } as const;
    replay.row({ seq: 1, ts: 1, entry: { ...start, boot: 1, facts: { mode: 'live', account: 'alice' } } });
    replay.row({ seq: 2, ts: 2, entry: { ...start, boot: 2, facts: { mode: 'reconcile' } } });
    const { owner } = replay.state;
    expect(() => requireOwnJournal(owner, { mode: 'live', account: 'alice', exchange: 'x' })).not.toThrow();
    expect(() => requireOwnJournal(owner, { mode: 'reconcile' })).not.toThrow();
    for (const other of [
      { mode: 'live', account: 'bob' },
      { mode: 'paper', account: 'alice' },
    ])
      expect(() => requireOwnJournal(owner, other)).toThrow(
        expect.objectContaining({ code: 'journal_foreign', exit: 3 }),
      );
  });

  it('its folder and file are made readable for their owner alone', () => {
    const { dir, remove } = tempDir();
    cleanups.push(remove);
    const session = join(dir, 'open');
    mkdirSync(session, { mode: 0o777 });
    chmodSync(session, 0o777);
    openJournal(session).close();
    expect(() => openJournal(session).close()).not.toThrow();
  });
});

function gateRows(journal: JournalStore): readonly GateEntry[] {
  return [...journal.read()].flatMap(({ entry }) => (entry.kind === 'gate' ? [entry] : []));
}

describe('gates in the journal', () => {
  it('are said once when they close and once when they open, however often they are asked', () => {
    const journal = createMemoryJournal();
    let closure: GateClosure | null = { reason: 'stale_data', message: 'silent' };
    const rig = makeRig({ journal });
    rig.executor.addGate({ name: 'test', closedBecause: () => closure });
    for (let round = 0; round < 3; round++) {
      rig.executor.submit('maker', place);
      rig.executor.lookAtGates(['BTCUSDT']);
    }
    expect(denials(rig)).toEqual(['stale_data', 'stale_data', 'stale_data']);
    const said = gateRows(journal);
    expect(said.map(({ gate, state, reason }) => [gate, state, reason])).toEqual([
      ['test', 'closed', 'stale_data'],
      ['test', 'closed', 'stale_data'],
    ]);
    // Once for the symbol that was asked for, once for all of them.
    expect(said.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', '']);
    closure = null;
    rig.executor.submit('maker', place);
    expect(rig.venue.creates()).toHaveLength(1);
    expect(
      gateRows(journal)
        .filter(({ state }) => state === 'open')
        .map(({ symbol }) => symbol),
    ).toEqual(['', 'BTCUSDT']);
    rig.executor.lookAtGates(['BTCUSDT']);
    expect(gateRows(journal)).toHaveLength(4);
  });

  it('leave no row while everything is open', () => {
    const journal = createMemoryJournal();
    const rig = makeRig({ journal });
    rig.executor.submit('maker', place);
    rig.executor.lookAtGates(['BTCUSDT']);
    expect(gateRows(journal)).toEqual([]);
  });
});
