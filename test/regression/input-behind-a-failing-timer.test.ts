/**
 * Found by reading: an input of the paced clock (a fill, an answer) was lost when a timer that was due before it threw.
 */
import { expect, it } from 'vitest';
import type { Clock } from '../../src/model/ports.ts';
import { PacedClock } from '../../src/session/clock/paced-clock.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';

it('hands an input over although a timer before it throws', () => {
  const real: Clock = { now: () => 0, nowUs: () => 0, after: () => () => {}, every: () => () => {} };
  const clock = new PacedClock(new VirtualClock(0), real);
  const seen: string[] = [];
  clock.after(10, () => {
    throw new Error('a bug in a timer');
  });
  clock.after(15, () => seen.push('timer'));
  expect(() => clock.deliver(20_000, () => seen.push('fill'))).toThrow('a bug in a timer');
  expect(seen).toContain('fill');
  clock.deliver(30_000, () => seen.push('next'));
  expect(seen).toEqual(['fill', 'timer', 'next']);
});
