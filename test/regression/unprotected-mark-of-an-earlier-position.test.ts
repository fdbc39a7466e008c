/**
 * `status` and the dashboard marked a position as UNPROTECTED for ever once an alarm had named one of its strategy and symbol:
 * also a later position, and one that had been given an exit in between.
 */
import { afterEach, expect, it } from 'vitest';
import { bracket, place, stop } from '../../src/index.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { unprotectedIn } from '../../src/session/upkeep/session-state.ts';
import { replayRows, stateHash } from '../../src/spine/replay.ts';
import { replayOf, snapshotText } from '../../src/spine/snapshot/snapshot.ts';
import { BTC, makeRig, tempDir, type Rig } from '../execution/rig.ts';
import { fills, programRig, submit, SYMBOL } from '../programs/program-rig.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

const MARKED = [{ strategy: 'maker', symbol: SYMBOL, quantity: '0.02' }];
const base = { symbol: SYMBOL, quantity: '0.02' } as const;

function journal(): { readonly dir: string; readonly store: JournalStore } {
  const { dir, remove } = tempDir();
  const store = openJournal(dir);
  cleanups.push(() => store.close(), remove);
  return { dir, store };
}

/** As `status` shows them, and the API. */
function marks(store: JournalStore): readonly object[] {
  const replay = replayRows(store.read());
  expect(unprotectedIn(replayOf(snapshotText(replay)))).toEqual(unprotectedIn(replay));
  return unprotectedIn(replay);
}

/** Bought by a bracket that is then cancelled: its alarm names the position. */
function bare({ store, protect = false }: { store: JournalStore; protect?: boolean }): Rig {
  const rig = programRig({ journal: store, protect });
  const entry = { ...base, side: 'buy', type: 'limit', price: 59_900 } as const;
  submit(rig, bracket({ entry, stopLoss: 58_000, ref: 'first' }));
  fills(rig, 'buy');
  submit(rig, { kind: 'cancel', ref: 'first' });
  rig.executor.lookAtProtection();
  expect(marks(store)).toEqual(MARKED);
  expect(rig.executor.unprotected).toMatchObject(MARKED);
  return rig;
}

function sells(rig: Rig, quantity: string): void {
  submit(rig, place({ ...base, quantity, side: 'sell', type: 'limit', price: 60_100 }));
  fills(rig, 'sell', '60100');
}

function buys(rig: Rig): void {
  submit(rig, place({ ...base, side: 'buy', type: 'limit', price: 59_990 }));
  fills(rig, 'buy', '59990');
}

it('protection/mark/ends-with-its-position', () => {
  const { store } = journal();
  const rig = bare({ store });
  sells(rig, '0.01');
  expect(marks(store)).toMatchObject([{ quantity: '0.01' }]);
  sells(rig, '0.01');
  // Within the second between two looks.
  buys(rig);
  expect(marks(store)).toEqual([]);
  rig.executor.lookAtProtection();
  expect(rig.executor.unprotected).toEqual([]);
});

it('protection/mark/ends-where-one-trade-turns-the-position', () => {
  const { store } = journal();
  const rig = bare({ store });
  sells(rig, '0.04');
  expect(marks(store)).toEqual([]);
});

it('protection/mark/ends-with-an-exit-and-does-not-come-back-without-an-alarm', () => {
  const { store } = journal();
  const rig = bare({ store });
  submit(rig, place({ ...base, side: 'sell', type: 'limit', price: 61_000, reduceOnly: true, ref: 'exit' }));
  rig.executor.lookAtProtection();
  expect([marks(store), rig.executor.unprotected]).toEqual([[], []]);
  submit(rig, { kind: 'cancel', ref: 'exit' });
  rig.executor.lookAtProtection();
  expect([marks(store), rig.executor.unprotected]).toEqual([[], []]);
  expect(stateHash(replayRows(store.read()).state)).toBe(stateHash(rig.executor.state));
});

it('protection/mark/stays-while-a-part-has-no-exit', () => {
  const { store } = journal();
  const rig = bare({ store });
  submit(rig, stop({ ...base, quantity: '0.01', side: 'sell', trigger: 58_000 }));
  rig.executor.lookAtProtection();
  expect(marks(store)).toMatchObject([{ quantity: '0.01' }]);
});

it.each([false, true])('protection/mark/outlives-a-restart-and-ends-after-it (protect: %s)', (protect) => {
  const { dir, store } = journal();
  const first = bare({ store, protect });
  store.close();
  const again = openJournal(dir);
  cleanups.push(() => again.close());
  const { clock, venue } = first;
  const rig = makeRig({
    journal: again,
    clock,
    venue,
    bootId: 'b2',
    specs: [BTC],
    risk: { priceCollar: 0.5 },
    protect,
  });
  rig.executor.goOn('maker');
  const alarms = (): number => rig.events.filter(({ kind }) => kind === 'alarm').length;
  for (let second = 0; second < 60; second++) {
    clock.advance(1_000);
    rig.executor.lookAtProtection();
  }
  expect(marks(again)).toEqual(MARKED);
  expect(rig.executor.unprotected).toEqual(MARKED);
  // Its owner has asked for the alarm.
  expect(alarms()).toBe(protect ? 1 : 0);
  submit(rig, stop({ ...base, side: 'sell', trigger: 58_000 }));
  rig.executor.lookAtProtection();
  expect([marks(again), rig.executor.unprotected]).toEqual([[], []]);
});

it('protection/mark/a-new-position-of-a-protected-strategy-rings-again', () => {
  const { store } = journal();
  const rig = bare({ store, protect: true });
  sells(rig, '0.02');
  buys(rig);
  const before = rig.events.filter(({ kind }) => kind === 'alarm').length;
  for (let second = 0; second < 60; second++) {
    rig.clock.advance(1_000);
    rig.executor.lookAtProtection();
  }
  expect(rig.events.filter(({ kind }) => kind === 'alarm')).toHaveLength(before + 1);
  expect(marks(store)).toEqual(MARKED);
});
