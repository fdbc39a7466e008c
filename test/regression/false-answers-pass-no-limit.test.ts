/**
 * Cancels that were answered as done while their orders rested on, and creates that were refused and carried out: what each
 * gave free was used again, and again, until lists contradicted it, and so with the next one. Open orders and exposure stood
 * at several times their limits. A false word is used once; then each waits for the lists.
 */
import { expect, it } from 'vitest';
import { until, type Stack, type World } from '../e2e/live-stack.ts';
import { CANCEL, CREATE, limit, scenario } from '../e2e/scenario.ts';

const OPEN_ORDERS_MAX = 2;
const LIMITS = { maxOpenOrders: OPEN_ORDERS_MAX, repeatedRejects: 3, rejectCooldownMs: 100 };
const RUN_MS = 2500;
const ALARMS = ['contradiction', 'late_fill'];
/** Long beside a round of the strategy, as it is outside of tests. */
const reconcile = { intervalMs: 1000, urgentIntervalMs: 300, historyLagMs: 600 };

/** A strategy that replaces its orders without rest; the most that rested at once. */
async function replaced(world: World, stack: Stack): Promise<number> {
  const end = Date.now() + RUN_MS;
  let most = 0;
  let round = 0;
  await until(() => {
    for (const { ref, state } of stack.executor.account('maker').openOrders())
      if (state === 'open') stack.act('maker', { kind: 'cancel', ref });
    const price = String(59_000 - (++round % 500));
    stack.act('maker', limit('buy', price));
    most = Math.max(most, world.alice.active.size);
    return Date.now() > end;
  }, 'the time is over');
  return most;
}

it('cancels/answered-falsely: limits are passed by no more than themselves', () =>
  scenario(
    { ids: true, alarms: ALARMS, reconcile },
    async ({ world, stack }) => {
      await world.faults({ match: CANCEL, fault: 'falseCancel' });
      const most = await replaced(world, stack);
      expect(stack.alarms().some((alarm) => alarm.startsWith('contradiction'))).toBe(true);
      expect(most).toBeGreaterThanOrEqual(OPEN_ORDERS_MAX);
      expect(most).toBeLessThanOrEqual(2 * OPEN_ORDERS_MAX);
    },
    LIMITS,
  ));

it('creates/refused-and-carried-out: limits are passed by no more than themselves', () =>
  scenario(
    { ids: true, alarms: ALARMS, reconcile },
    async ({ world, stack }) => {
      await world.faults(
        { match: CREATE, fault: 'falseRefusal' },
        { match: { channel: '*@order-info' }, fault: 'mute' },
      );
      const most = await replaced(world, stack);
      expect(stack.alarms().some((alarm) => alarm.startsWith('contradiction'))).toBe(true);
      expect(most).toBeGreaterThanOrEqual(OPEN_ORDERS_MAX);
      expect(most).toBeLessThanOrEqual(2 * OPEN_ORDERS_MAX);
    },
    LIMITS,
  ));
