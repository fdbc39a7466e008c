import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { figure } from '../../src/risk/check.ts';
import { RecentTimes, SECOND_MS } from '../../src/risk/counters.ts';

describe('risk/message-rate', () => {
  it('figure/counts-what-a-look-at-every-time-would', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 1500 }), (steps, max, later) => {
        const rate = new RecentTimes(max);
        let now = 0;
        const sent: number[] = [];
        for (const step of steps) {
          now += step;
          rate.add(now);
          sent.push(now);
        }
        now += later;
        const within = sent.slice(-max).filter((at) => now - at < SECOND_MS).length;
        expect(rate.within(now, SECOND_MS)).toBe(within);
      }),
    );
    expect(new RecentTimes(5).within(0, SECOND_MS)).toBe(0);
  });

  it('figure/has-ten-digits', () => {
    const numbers = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, 1e10, 9_999_999_999, 12_345_678_901));
    fc.assert(
      fc.property(numbers, (value) => {
        const [, , shown] = figure('max_order_value', 'a', value, 1);
        expect(JSON.stringify(shown)).toBe(JSON.stringify(Number(value.toPrecision(10))));
      }),
    );
  });
});
