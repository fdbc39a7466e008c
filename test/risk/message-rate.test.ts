import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageRate, MINUTE_MS, SECOND_MS } from '../../src/risk/checks/message-rate.ts';
import { figure } from '../../src/risk/figures.ts';

describe('risk/message-rate', () => {
  it('figure/counts-what-a-look-at-every-time-would', () => {
    const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 1500 }), (steps, max, later) => {
        const rate = new MessageRate(max);
        let now = 0;
        const sent: number[] = [];
        for (const step of steps) {
          now += step;
          rate.count(now);
          sent.push(now);
        }
        now += later;
        const within = sent.slice(-max).filter((at) => now - at < SECOND_MS).length;
        expect(rate.figure(now, 'the account')).toEqual(['message_rate', 'the account, second', within + 1, max]);
      }),
    );
    expect(new MessageRate(5, MINUTE_MS).figure(0, 'a')).toEqual(['message_rate', 'a, minute', 1, 5]);
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
