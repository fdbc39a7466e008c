/**
 * A movement of money that waited in a queue while the machine slept left when it woke: the session's clock, which aged it,
 * had stood still. The wall clock counts too, as it does for orders.
 */
import { expect, it } from 'vitest';
import { JournalWriter } from '../../src/execution/journal-writer.ts';
import { createMemoryJournal } from '../../src/execution/journal/memory-store.ts';
import { MoneyDesk } from '../../src/execution/treasury/desk.ts';
import { MoneyState } from '../../src/execution/treasury/state.ts';
import type { Treasury } from '../../src/model/treasury.ts';
import { HandClock } from '../execution/rig.ts';

type OnDispatch = Parameters<Treasury['send']>[1];

const TTL_MS = 10_000;

function release(sleptMs: number): ReturnType<OnDispatch> {
  const clock = new HandClock();
  const state = new MoneyState();
  let wall = 1_000_000;
  const held: OnDispatch[] = [];
  const queue: Pick<Treasury, 'send'> = { send: (_command, onDispatch) => held.push(onDispatch) };
  const desk = new MoneyDesk({
    // Of the treasury the desk uses its queue alone here.
    treasury: queue as Treasury,
    writer: new JournalWriter(createMemoryJournal(), clock, (error) => expect.fail(error.message)),
    state: () => state,
    clock,
    wall: () => wall,
    bootId: 'b1',
    gate: () => null,
    intentTtlMs: TTL_MS,
    fenceMs: 31_000,
    clockSlackMs: 1000,
    historyLagMs: 1000,
    clientOrderIds: true,
    turn: (work) => work(),
  });
  const request = { kind: 'transfer', from: 'unified-trading', to: 'funding', currency: 'USDT', amount: '5' } as const;
  desk.send({ request, strategy: 'maker', lane: 'create', before: null }, () => {});
  clock.advance(100);
  wall += 100 + sleptMs;
  const [onDispatch] = held;
  if (onDispatch === undefined) throw new Error('nothing was handed over');
  return onDispatch();
}

it('drops money that waited through a sleep, and lets go what did not', () => {
  expect(release(0)).toBe('go');
  expect(release(TTL_MS)).toMatchObject({ reason: 'expired' });
});

it('does not make an intent younger when the wall clock is set back', () => {
  expect(release(-3_600_000)).toBe('go');
});
