/**
 * Found by the fault simulator (seed 44, law D1): each silence of a channel that had lost its pushes was learned as an interval
 * of a quiet market, so that the next one was noticed three times later: 3 s, 9 s, 27 s, and at last after 10 minutes, while
 * orders left by a book that had long been over.
 */
import { expect, it } from 'vitest';
import { Freshness } from '../../src/streams/freshness.ts';
import { FakeClock } from '../streams/fake-clock.ts';
import { btc } from '../streams/market-fixtures.ts';

function watched() {
  const clock = new FakeClock(1_700_000_000_000);
  const freshness = new Freshness({ clock, emit: () => {}, resubscribe: () => {}, reconnect: () => {} });
  freshness.start();
  freshness.connectionUp();
  freshness.watch('BTC', btc, 'depth');
  let seq = 0;
  const push = (afterMs: number, lost: number): void => {
    clock.advance(afterMs);
    seq += lost + 1;
    freshness.arrived('BTC', seq);
  };
  const staleAfterMs = (): number => freshness.status()[0]?.staleAfterMs ?? Number.NaN;
  return { clock, freshness, push, staleAfterMs };
}

it('notices the fifth silence of a mute channel as soon as the first', () => {
  const { clock, freshness, push, staleAfterMs } = watched();
  push(100, 0);
  for (let silence = 0; silence < 5; silence++) {
    push(500, 0);
    push(30_000, 40);
  }
  expect(staleAfterMs()).toBe(3000);
  clock.advance(3001);
  expect(freshness.closedBecause('BTCUSDT')?.reason).toBe('stale_data');
});

it('learns nothing from a silence that was just short enough to be let pass', () => {
  const { push, staleAfterMs } = watched();
  push(100, 0);
  for (let silence = 0; silence < 5; silence++) {
    push(500, 0);
    push(staleAfterMs() - 10, 4);
  }
  expect(staleAfterMs()).toBe(3000);
});

it('still learns that a market is quiet when nothing was lost in a silence', () => {
  const { clock, freshness, push, staleAfterMs } = watched();
  push(100, 0);
  for (let interval = 0; interval < 20; interval++) push(8000, 0);
  expect(staleAfterMs()).toBeGreaterThan(8000);
  clock.advance(7000);
  expect(freshness.closedBecause('BTCUSDT')).toBeNull();
});

it('does not take a market that was halted for a slow one', () => {
  const { clock, freshness, staleAfterMs } = watched();
  freshness.arrived('BTC', 1);
  freshness.arrived('BTC', 2);
  for (let second = 0; second < 120; second++) {
    clock.advance(1000);
    // Subscribed again, it sends the book that it sent before.
    if (freshness.closedBecause('BTCUSDT') !== null) freshness.arrived('BTC', 2);
  }
  expect(staleAfterMs()).toBe(15_000);
});

it('does not learn from a clock that was moved on after a suspend', () => {
  const clock = new FakeClock(1_700_000_000_000);
  let shiftMs = 0;
  const shifted = { ...clockOf(clock), now: () => clock.now() + shiftMs };
  const freshness = new Freshness({ clock: shifted, emit: () => {}, resubscribe: () => {}, reconnect: () => {} });
  freshness.start();
  freshness.connectionUp();
  freshness.watch('BTC', btc, 'depth');
  for (let seq = 1; seq < 40; seq++) {
    clock.advance(500);
    // Noticed by the datum, or by a check before it; shorter than what counts as silence, or longer.
    if (seq % 5 === 0) shiftMs += seq < 20 ? 2_200 : 30_000;
    if (seq % 2 === 0) clock.advance(250);
    freshness.arrived('BTC', seq);
  }
  expect(freshness.status()[0]?.staleAfterMs).toBe(3000);
});

function clockOf(clock: FakeClock) {
  return {
    nowUs: () => clock.nowUs(),
    after: (delayMs: number, run: () => void) => clock.after(delayMs, run),
    every: (intervalMs: number, run: () => void) => clock.every(intervalMs, run),
  };
}
