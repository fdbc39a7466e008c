/** A session whose end was proved kept a timer of its deadline: the process stayed three seconds longer than its work. */
import { expect, it } from 'vitest';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { cleared } from '../../src/session/healing/orderly-end.ts';
import { silentLogger } from '../../src/model/ports.ts';

type Session = Parameters<typeof cleared>[0];

it('session/end/leaves-no-timer-behind', async () => {
  const clock = new VirtualClock(0);
  const session = {
    engine: { stopped: true, settled: true },
    reconciler: { runNow: () => Promise.resolve({ disagreements: [] }) },
  } as unknown as Session;
  expect(await cleared(session, clock, silentLogger)).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});
