import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addCounters, countEnd, zeroCounters } from '../../src/spine/orders/order-counters.ts';
import type { OrderState } from '../../src/model/trading/order.ts';

const ENDS = ['filled', 'canceled', 'denied', 'rejected', 'expired'] as const;
const anyState = fc.constantFrom<OrderState>('sending', 'open', 'partially_filled', 'unknown', ...ENDS);

test('an order counts under its last end alone, in whichever process it came to it', () => {
  fc.assert(
    fc.property(fc.array(anyState), fc.array(anyState), (earlier, later) => {
      const legs = [zeroCounters(), zeroCounters()];
      let state: OrderState = 'pending';
      for (const [leg, states] of [earlier, later].entries()) {
        for (const next of states) {
          countEnd(legs[leg]!, state, next);
          state = next;
        }
      }
      const sum = addCounters(legs[0]!, legs[1]!);
      expect(ENDS.filter((end) => sum[end] !== 0)).toEqual(ENDS.filter((end) => end === state));
      expect(ENDS.reduce((all, end) => all + sum[end], 0)).toBe(ENDS.some((end) => end === state) ? 1 : 0);
    }),
  );
});
