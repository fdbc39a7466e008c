/**
 * Found by the simulator: the entry of a program was refused and carried out, and tried again a second later, so that it stood
 * twice. It is tried again only once the lists, read since, do not show it.
 */
import { expect, it } from 'vitest';
import { bracket } from '../../src/strategy/programs.ts';
import { until } from '../e2e/live-stack.ts';
import { CREATE, scenario } from '../e2e/scenario.ts';

/** Longer than the time to the second try. */
const UNREAD_MS = 1_600;
const reconcile = { intervalMs: 1000, urgentIntervalMs: 300, historyLagMs: 600 };

it('programs/refused-and-carried-out: an entry is not tried again before a list could show it', () =>
  scenario({ ids: true, alarms: ['contradiction'], reconcile }, async ({ world, stack }) => {
    await world.faults(
      { match: CREATE, fault: 'falseRefusal', times: 1 },
      { match: { channel: '*@order-info' }, fault: 'mute' },
      { match: { path: '*/order/active' }, fault: 'status', status: 503 },
    );
    const entry = { symbol: 'BTCUSDT', side: 'buy', type: 'limit', price: '59000', quantity: '0.01' } as const;
    stack.act('maker', bracket({ entry, stopLoss: '58000' }));
    await until(() => world.alice.active.size === 1, 'it is carried out');
    const end = Date.now() + UNREAD_MS;
    await until(() => Date.now() > end || world.alice.active.size > 1, 'the time of the second try is over');
    expect(world.alice.active.size).toBe(1);
    await world.faults();
    await until(() => stack.alarms().some((alarm) => alarm.startsWith('contradiction')), 'a list shows it');
    // It is cancelled, since nothing counts on it: the one entry that the bracket has.
    await until(() => stack.executor.programs()[0]?.state !== 'working', 'the program ends');
    expect([stack.executor.programs()[0]?.state, world.alice.active.size]).toEqual(['canceled', 0]);
  }));
