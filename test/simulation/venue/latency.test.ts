/** The latency models that measure (rule T3): pairs of a session, and multiples of the feed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/model/random.ts';
import { createLatency } from '../../../src/simulation/venue/latency.ts';
import { simulationOptions, type LatencyPair } from '../../../src/simulation/options.ts';

function latencyOf(latency: Readonly<Record<string, unknown>>) {
  return createLatency(simulationOptions.parse({ latency }).latency, seededRandom(1));
}

const pair = fc.record({
  ts: fc.integer({ min: 0, max: 1_000_000 }),
  entryMs: fc.integer({ min: 0, max: 60_000 }),
  responseMs: fc.integer({ min: 0, max: 60_000 }),
});
const pairs = fc
  .array(pair, { minLength: 1, maxLength: 40 })
  .map((list) => list.toSorted((left, right) => left.ts - right.ts));

describe('measured latency', () => {
  it('lies on the line between two requests', () => {
    const model = latencyOf({
      model: 'measured',
      pairs: [
        { ts: 1000, entryMs: 10, responseMs: 4 },
        { ts: 2000, entryMs: 20, responseMs: 8 },
      ],
    });
    expect([1_000_000, 1_500_000, 2_000_000].map((us) => model.entryUs(us))).toEqual([10_000, 15_000, 20_000]);
    expect(model.responseUs(1_250_000)).toBe(5000);
  });

  it('is at the times of the requests what they took, the last one where several left at once', () => {
    fc.assert(
      fc.property(pairs, (list: readonly LatencyPair[]) => {
        const model = latencyOf({ model: 'measured', pairs: list });
        for (const { ts } of list) {
          const last = list.findLast((other) => other.ts === ts)!;
          expect(model.entryUs(ts * 1000)).toBe(last.entryMs * 1000);
          expect(model.responseUs(ts * 1000)).toBe(last.responseMs * 1000);
        }
      }),
    );
  });

  it('stays between the fastest and the slowest at any time, also far outside of the session', () => {
    fc.assert(
      fc.property(pairs, fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), (list, us) => {
        const entries = list.map(({ entryMs }) => entryMs * 1000);
        const entryUs = latencyOf({ model: 'measured', pairs: list }).entryUs(us);
        expect(Number.isInteger(entryUs)).toBe(true);
        expect(entryUs).toBeGreaterThanOrEqual(Math.min(...entries));
        expect(entryUs).toBeLessThanOrEqual(Math.max(...entries));
      }),
    );
  });

  it('refuses to guess without pairs, and with pairs out of order', () => {
    expect(() => latencyOf({ model: 'measured' })).toThrow(expect.objectContaining({ code: 'latency_unmeasured' }));
    const disordered = [
      { ts: 2, entryMs: 1, responseMs: 1 },
      { ts: 1, entryMs: 1, responseMs: 1 },
    ];
    expect(() => latencyOf({ model: 'measured', pairs: disordered })).toThrow(
      expect.objectContaining({ code: 'latency_unmeasured' }),
    );
  });
});

describe('feed latency', () => {
  it('is the given values until the feed is known, then multiples of what the feed took last', () => {
    const model = latencyOf({ model: 'feed', feedFactor: 2.5, entryMs: 7, responseMs: 9 });
    expect([model.entryUs(0), model.responseUs(0)]).toEqual([7000, 9000]);
    model.observe?.(4000);
    expect([model.entryUs(0), model.responseUs(0)]).toEqual([10_000, 10_000]);
    model.observe?.(-50);
    expect(model.entryUs(0)).toBe(0);
  });
});
