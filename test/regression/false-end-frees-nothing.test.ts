/**
 * A push called a resting order canceled that nobody had cancelled. Its room was given to the next order at once, and the next:
 * orders and exposure stood at ten times their limits until the lists were read. Such an end frees nothing before a comparison,
 * and where an end was false new risk waits for one `historyLagMs` later.
 */
import { expect, it } from 'vitest';
import { until } from '../e2e/live-stack.ts';
import { limit, scenario } from '../e2e/scenario.ts';

const PUSH = { channel: '*@order-info' };
const LIMITS = { maxOpenOrders: 1 };
/** Longer than the test takes to place again. */
const reconcile = { historyLagMs: 1_500 };

it('a false end that nobody asked for frees no room for another order', () =>
  scenario(
    { ids: true, alarms: ['contradiction'], reconcile },
    async ({ world, stack }) => {
      await world.faults({ match: PUSH, fault: 'falseStatus', status: 'canceled', times: 1 });
      stack.act('maker', limit('buy', '59000', '0.01', 'a'));
      await until(() => stack.states().includes('a canceled'), 'the false word');
      stack.act('maker', limit('buy', '58900', '0.01', 'b'));
      expect(stack.denials()).toEqual(['not_reconciled']);
      await until(() => world.alice.active.size === 0, 'the order is gone');
      // It was false, so that other ends may be, too.
      stack.act('maker', limit('buy', '58800', '0.01', 'c'));
      expect(stack.denials()).toEqual(['not_reconciled', 'not_reconciled']);
      let tries = 0;
      await until(() => {
        stack.act('maker', limit('buy', '58700', '0.01', `d-${++tries}`));
        return world.alice.active.size === 1;
      }, 'orders go out again');
    },
    LIMITS,
  ));

it('an end that was asked for frees its room at once, and so do those of the orders that take its place', () =>
  scenario(
    // No comparison confirms an end here.
    { ids: true, reconcile: { ...reconcile, intervalMs: 60_000, urgentIntervalMs: 60_000 } },
    async ({ world, stack }) => {
      stack.act('maker', limit('buy', '59000', '0.01', 'a'));
      await until(() => world.alice.active.size === 1, 'the order rests');
      await until(() => stack.states().includes('a open'), 'its answer');
      let ref = 'a';
      for (const next of ['b', 'c', 'd']) {
        stack.act('maker', { kind: 'cancel', ref });
        await until(() => stack.states().includes(`${ref} canceled`), 'its end');
        stack.act('maker', limit('buy', '58900', '0.01', next));
        expect(stack.denials()).toEqual([]);
        await until(() => stack.states().includes(`${next} open`), 'the next order rests');
        ref = next;
      }
    },
    LIMITS,
  ));
