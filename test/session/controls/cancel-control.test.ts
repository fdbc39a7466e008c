/** What a session does with an order to cancel from outside, and what it passes over. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { stop } from '../../../src/index.ts';
import { silentLogger } from '../../../src/model/ports.ts';
import { CANCELED_BY_HAND, orderCancel, watchCancelOrders } from '../../../src/session/controls/cancel-control.ts';
import { HandClock, START, type Rig } from '../../execution/rig.ts';
import { programOf, programRig, submit, SYMBOL } from '../../programs/program-rig.ts';

const wanted = { kind: 'cancel', id: 'c1', strategy: 'maker', ref: 'guard', reason: 'test', at: START } as const;
const all = { kind: 'cancelAll', id: 'c2', strategy: null, symbol: null, reason: 'test', at: START } as const;

let path = '';
let rig: Rig;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tidewire-cancel-'));
  rig = programRig({ clock: new HandClock() });
  watchCancelOrders({
    path,
    executor: rig.executor,
    strategies: ['maker', 'taker'],
    clock: rig.clock,
    logger: silentLogger,
    deliver: (run) => run(),
  });
  submit(
    rig,
    stop({ ref: 'guard', symbol: SYMBOL, side: 'sell', quantity: '0.02', trigger: 59_000, reduceOnly: false }),
  );
});
afterEach(() => rmSync(path, { recursive: true, force: true }));

function said(): readonly unknown[] {
  return [...rig.journal.read()].flatMap(({ entry }) =>
    entry.kind === 'record' && entry.name === CANCELED_BY_HAND ? [entry.data] : [],
  );
}

it('ends the program, and the journal says before that a human wanted it and why', () => {
  expect(orderCancel(path, wanted)).toBe(true);
  // The first one is not lost to a second one.
  expect(orderCancel(path, all)).toBe(false);
  rig.clock.advance(1_000);
  expect(existsSync(join(path, 'CANCEL'))).toBe(false);
  expect(programOf(rig, 'guard')).toMatchObject({ state: 'canceled' });
  expect(said()).toEqual([{ id: 'c1', reason: 'test', programs: [{ strategy: 'maker', ref: 'guard' }], orders: [] }]);
  const kinds = [...rig.journal.read()].map(({ entry }) =>
    entry.kind === 'record' ? entry.name : entry.kind === 'program' ? entry.event : '',
  );
  expect(kinds.indexOf(CANCELED_BY_HAND)).toBeLessThan(kinds.indexOf('end'));
});

it('answers even when nothing was open, and touches only the symbol that is named', () => {
  orderCancel(path, { ...all, symbol: 'ETHUSDT' });
  rig.clock.advance(1_000);
  expect(said()).toEqual([{ id: 'c2', reason: 'test', programs: [], orders: [] }]);
  expect(programOf(rig, 'guard').state).toBe('working');
  orderCancel(path, { ...all, id: 'c3' });
  rig.clock.advance(1_000);
  expect(programOf(rig, 'guard').state).toBe('canceled');
});

it('passes over what is old or no order, and goes on', () => {
  orderCancel(path, { ...wanted, at: START - 60_000 });
  rig.clock.advance(500);
  writeFileSync(join(path, 'CANCEL'), '{"kind":"cancel"');
  rig.clock.advance(500);
  expect(said()).toEqual([]);
  expect(programOf(rig, 'guard').state).toBe('working');
  orderCancel(path, wanted);
  rig.clock.advance(500);
  expect(programOf(rig, 'guard').state).toBe('canceled');
});
