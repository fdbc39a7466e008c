import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReconnectPolicy } from '../../../../src/exchange/client/sockets/reconnect-policy.ts';
import { seededRandom } from '../../../../src/model/random.ts';

describe('the reconnect policy', () => {
  it('never makes more than 20 connections in 5 minutes and never waits longer than its longest back-off', () => {
    fc.assert(
      fc.property(fc.integer(), fc.array(fc.nat({ max: 5000 }), { minLength: 30, maxLength: 80 }), (seed, lives) => {
        let now = 0;
        const policy = new ReconnectPolicy({ now: () => now }, seededRandom(seed));
        const begun: number[] = [];
        for (const lifeMs of lives) {
          policy.began();
          begun.push(now);
          now += lifeMs;
          const delay = policy.nextDelayMs();
          expect(delay).toBeLessThanOrEqual(30_000);
          now += delay;
        }
        for (let index = 20; index < begun.length; index++) {
          expect((begun[index] ?? 0) - (begun[index - 20] ?? 0)).toBeGreaterThanOrEqual(300_000);
        }
      }),
    );
  });

  it('draws from 0 to 0.5 s first, doubles up to 30 s, and starts again after a stable connection', () => {
    const highest = (failures: number): number => {
      let most = 0;
      for (let seed = 0; seed < 300; seed++) {
        const policy = new ReconnectPolicy({ now: () => 0 }, seededRandom(seed));
        for (let count = 0; count < failures; count++) policy.nextDelayMs();
        most = Math.max(most, policy.nextDelayMs());
      }
      return most;
    };
    expect(highest(0)).toBeLessThanOrEqual(500);
    expect(highest(0)).toBeGreaterThan(400);
    expect(highest(3)).toBeLessThanOrEqual(4000);
    expect(highest(3)).toBeGreaterThan(3000);
    expect(highest(30)).toBeLessThanOrEqual(30_000);
    const policy = new ReconnectPolicy({ now: () => 0 }, seededRandom(1));
    for (let count = 0; count < 10; count++) policy.nextDelayMs();
    policy.stable();
    expect(policy.nextDelayMs()).toBeLessThanOrEqual(500);
  });
});
