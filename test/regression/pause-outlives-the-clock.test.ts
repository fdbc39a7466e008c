/**
 * Found by the fault simulator (seed 126, law L5): a process whose clock lay behind the exchange's met a 429 while it measured
 * that; the clock was then set by 2 s, and the pause of a second was over at once.
 */
import { expect, it } from 'vitest';
import { RequestBudget } from '../../src/exchange/client/request-budget.ts';
import { shiftedClock } from '../../src/session/clock/shifted-clock.ts';
import { ManualClock } from '../exchange/clocks.ts';

it.each([2000, -2000])('lasts as long as it was told to when the clock is set by %i ms meanwhile', (byMs) => {
  const machine = new ManualClock();
  const clock = shiftedClock(machine);
  const budget = new RequestBudget(clock.steady, { requestsPerSecond: 20, ordersPerSecond: 10 });
  budget.penalise(1000);
  clock.shift(byMs);
  expect(budget.take('public')).toBe(1000);
  machine.advance(1000);
  expect(budget.take('public')).toBe(0);
});
