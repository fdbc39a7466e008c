/** A slice of `npm run soak`: hours instead of weeks. The heap needs weeks to speak; timers, sockets and requests do not. */
import { describe, expect, it } from 'vitest';
import { still } from './strategies.ts';
import { trendOf, withoutSteps } from './trend.ts';
import { LongWorld } from './world.ts';

/** Requests of an hour at rest: every 10 s active orders, own trades and balances twice; history every 5 minutes; time. */
const REQUESTS_PER_HOUR_MAX = 1_900;

describe('a live session', () => {
  it('leaves as many timers and sockets at rest as it began with, and reads no more than it should', async () => {
    const world = new LongWorld({ seed: 5, strategies: [still], outages: false });
    await world.runHours(0.25);
    const { timers, sockets } = world;
    const before = sum(world.requests);
    await world.runHours(1);
    expect(world.closedBecause).toBeNull();
    expect({ timers: world.timers, sockets: world.sockets }).toEqual({ timers, sockets });
    expect(world.orders).toBe(1);
    const requests = sum(world.requests) - before;
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThan(REQUESTS_PER_HOUR_MAX);
    world.close();
  });
});

describe('the trend of samples', () => {
  it('is the line that they lie on, and knows how badly', () => {
    expect(
      trendOf([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).toMatchObject({ slope: 2, slopeError: 0, mean: 3 });
    const { slope, slopeError } = trendOf([
      [0, 10],
      [1, 12],
      [2, 9],
      [3, 11],
    ]);
    expect(Math.abs(slope)).toBeLessThan(2 * slopeError);
    expect(() =>
      trendOf([
        [0, 1],
        [1, 2],
      ]),
    ).toThrow(RangeError);
  });
});

describe('samples without their steps', () => {
  it('lie on the line between them, whatever way the steps go', () => {
    const { samples, steps } = withoutSteps(
      [
        [0, 10],
        [1, 12],
        [2, 114],
        [3, 116],
        [4, 18],
        [5, 20],
      ],
      50,
    );
    expect(samples.map(([, y]) => y)).toEqual([10, 12, 12, 14, 14, 16]);
    expect(steps).toBe(4);
    expect(trendOf(samples).slope).toBeGreaterThan(1);
  });
});

function sum(requests: ReadonlyMap<string, number>): number {
  return [...requests.values()].reduce((total, count) => total + count, 0);
}
