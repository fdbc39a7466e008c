/** Which of a session's acts share a turn of the event loop, and so come before the promises of the first. */
import { expect, test } from 'vitest';
import { afterTurn } from '../../../src/model/after-turn.ts';
import { PacedClock } from '../../../src/session/clock/paced-clock.ts';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';

function rig() {
  const world = new VirtualClock(0);
  const real = {
    now: () => world.now(),
    nowUs: () => world.nowUs(),
    after: (delayMs: number, run: () => void) => world.after(delayMs, run),
    every: (delayMs: number, run: () => void) => world.every(delayMs, run),
    afterTurn,
  };
  const told: string[] = [];
  const joined = (fromUs: number, toUs: number): void => void told.push(`joined ${fromUs} ${toUs}`);
  const clock = new PacedClock(new VirtualClock(0), real, () => ({ stalled: () => {}, joined }));
  const promise = (name: string): void => {
    void (async () => {
      for (let depth = 0; depth < 20; depth++) await Promise.resolve();
      told.push(`promise of ${name}`);
    })();
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { world, clock, told, promise, turn };
}

test('a timer that is late and the input that it meets share one, and are told of before the input', async () => {
  const { world, clock, told, promise, turn } = rig();
  clock.after(1, () => promise('the timer'));
  clock.after(2, () => told.push('second timer'));
  world.jumpTo(2500);
  clock.deliver(2500, () => told.push('input'));
  await turn();
  expect(told).toEqual(['joined 1000 2000', 'second timer', 'joined 2000 2500', 'input', 'promise of the timer']);
});

test('inputs of two turns do not, however long the promises of the first are', async () => {
  const { world, clock, told, promise, turn } = rig();
  clock.deliver(10, () => promise('the first'));
  afterTurn(() => clock.deliver(20, () => told.push('second')));
  await turn();
  world.advanceTo(30);
  clock.deliver(30, () => told.push('third'));
  expect(told).toEqual(['promise of the first', 'second', 'third']);
});

test('promises read the time of what was handed over, and what comes after the turn the time of the machine', async () => {
  const { world, clock, turn } = rig();
  const read: number[] = [];
  clock.after(1, () => void Promise.resolve().then(() => read.push(clock.nowUs())));
  world.jumpTo(1700);
  world.advanceTo(1700);
  await turn();
  expect(read).toEqual([1000]);
  world.jumpTo(1900);
  expect(clock.nowUs()).toBe(1900);
  clock.deliver(1800, () => void Promise.resolve().then(() => read.push(clock.nowUs())));
  world.jumpTo(2000);
  expect(clock.nowUs()).toBe(1800);
  await turn();
  expect(read).toEqual([1000, 1800]);
  expect(clock.nowUs()).toBe(2000);
});
