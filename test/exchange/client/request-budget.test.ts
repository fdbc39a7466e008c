import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestBudget, retryAfterMs } from '../../../src/exchange/client/request-budget.ts';
import type { Lane } from '../../../src/model/ports.ts';
import { ManualClock } from '../clocks.ts';

const options = { requestsPerSecond: 20, ordersPerSecond: 10 };

/** Takes until refused; answers how many were granted. */
function drain(budget: RequestBudget, lane: Lane): number {
  let granted = 0;
  while (budget.take(lane) === 0 && granted < 1000) granted += 1;
  return granted;
}

describe('the request budget', () => {
  it('never grants more than a second of burst and the rate over any stretch', () => {
    const lanes = fc.constantFrom<Lane>('kill', 'cancel', 'reduce', 'create', 'reconcile', 'history', 'public', 'page');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 300 }), lanes), { maxLength: 300 }), (asks) => {
        const clock = new ManualClock();
        const budget = new RequestBudget(clock, options);
        const started = clock.now();
        let all = 0;
        let orders = 0;
        for (const [waitMs, lane] of asks) {
          clock.advance(waitMs);
          if (budget.take(lane) > 0) continue;
          all += 1;
          if (['kill', 'cancel', 'reduce', 'create'].includes(lane)) orders += 1;
          const seconds = (clock.now() - started) / 1000;
          expect(all).toBeLessThanOrEqual(20 + 20 * seconds + 1e-6);
          expect(orders).toBeLessThanOrEqual(10 + 10 * seconds + 1e-6);
        }
      }),
    );
  });

  it('gives a page a token of a full bucket alone, so that all pages together cost a burst of orders one', () => {
    const clock = new ManualClock();
    const budget = new RequestBudget(clock, { requestsPerSecond: 20, ordersPerSecond: 20 });
    const alone = drain(new RequestBudget(clock, { requestsPerSecond: 20, ordersPerSecond: 20 }), 'create');
    expect(drain(budget, 'page')).toBe(1);
    expect(budget.take('page')).toBe(50);
    expect(drain(budget, 'create')).toBe(alone - 1);
    clock.advance(500);
    expect(budget.take('page')).toBeGreaterThan(0);
    clock.advance(500);
    expect(budget.take('page')).toBe(0);
  });

  it('keeps a tenth for cancels when everything else is used up', () => {
    const budget = new RequestBudget(new ManualClock(), options);
    expect(drain(budget, 'create')).toBe(9);
    expect(drain(budget, 'public')).toBe(9);
    expect(drain(budget, 'cancel')).toBe(1);
  });

  it('says exactly how long to wait', () => {
    const clock = new ManualClock();
    const budget = new RequestBudget(clock, options);
    drain(budget, 'create');
    const wait = budget.take('create');
    expect(wait).toBe(100);
    clock.advance(wait - 1);
    expect(budget.take('create')).toBeGreaterThan(0);
    clock.advance(1);
    expect(budget.take('create')).toBe(0);
  });

  it('halves on 429, honours Retry-After, and comes back slowly and never above what was configured', () => {
    const clock = new ManualClock();
    const budget = new RequestBudget(clock, options);
    budget.penalise(5000);
    expect(budget.state).toEqual({ requestsPerSecond: 10, ordersPerSecond: 5, pausedUntil: clock.now() + 5000 });
    expect(budget.take('cancel')).toBe(5000);
    clock.advance(4999);
    expect(budget.take('public')).toBeGreaterThan(0);
    clock.advance(1);
    expect(budget.take('cancel')).toBe(0);
    clock.advance(25_000);
    budget.take('create');
    expect(budget.state.ordersPerSecond).toBeCloseTo(8, 5);
    clock.advance(600_000);
    budget.take('create');
    expect(budget.state.requestsPerSecond).toBe(20);
  });

  it('never falls below a twentieth, however often it is told off', () => {
    const budget = new RequestBudget(new ManualClock(), options);
    for (let count = 0; count < 50; count++) budget.penalise(null);
    expect(budget.state).toMatchObject({ requestsPerSecond: 1, ordersPerSecond: 0.5 });
  });

  it('lets the kill lane try once a second during a pause, and nothing else', () => {
    const clock = new ManualClock();
    const budget = new RequestBudget(clock, options);
    budget.penalise(60_000);
    clock.advance(1000);
    expect(budget.take('kill')).toBe(0);
    expect(budget.take('kill')).toBe(1000);
    expect(budget.take('cancel')).toBe(59_000);
    clock.advance(1000);
    expect(budget.take('kill')).toBe(0);
  });

  it('lets one request a minute try during a longer pause, and ends it where that is not refused', () => {
    const clock = new ManualClock();
    const budget = new RequestBudget(clock, options);
    budget.penalise(86_400_000);
    expect(budget.take('reduce')).toBe(60_000);
    clock.advance(60_000);
    expect(budget.take('reduce')).toBe(0);
    expect(budget.take('reconcile')).toBe(60_000);
    budget.penalise(86_400_000);
    clock.advance(59_999);
    expect(budget.take('reduce')).toBe(1);
    clock.advance(1);
    expect(budget.take('reduce')).toBe(0);
    const { pausedUntil } = budget.state;
    budget.relent(pausedUntil - 1);
    expect(budget.state.pausedUntil).toBe(pausedUntil);
    budget.relent(pausedUntil);
    expect([budget.state.pausedUntil, budget.take('reconcile')]).toEqual([0, 0]);
  });

  it('gives tokens back for what was denied', () => {
    const budget = new RequestBudget(new ManualClock(), options);
    expect(drain(budget, 'create')).toBe(9);
    budget.giveBack('create');
    expect(drain(budget, 'create')).toBe(1);
  });

  it('reads Retry-After as seconds or as a date', () => {
    expect(retryAfterMs('2', 0)).toBe(2000);
    expect(retryAfterMs('Thu, 01 Jan 1970 00:00:09 GMT', 4000)).toBe(5000);
    expect(retryAfterMs(undefined, 0)).toBeNull();
    expect(retryAfterMs('soon', 0)).toBeNull();
  });

  it('takes a Retry-After of years for unreadable: it is a time of day, and no cancel would ever leave again', () => {
    const now = 1_700_000_000_000;
    expect(retryAfterMs('259200', now)).toBe(259_200_000);
    expect(retryAfterMs('1700000060', now)).toBeNull();
    expect(retryAfterMs('1700000060000', now)).toBeNull();
    expect(retryAfterMs('Wed, 21 Oct 2099 07:28:00 GMT', now)).toBeNull();
    const clock = new ManualClock();
    const budget = new RequestBudget(clock, options);
    budget.penalise(retryAfterMs('1700000060', now));
    clock.advance(1000);
    expect(budget.take('cancel')).toBe(0);
  });
});
