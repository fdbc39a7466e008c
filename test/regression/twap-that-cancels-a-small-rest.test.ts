/**
 * Found by a stranger: a twap cancelled its order at the touch once a partial fill left less than the smallest order of
 * it, could not send that again, and ended `failed`.
 */
import { expect, it } from 'vitest';
import { twap, vwap } from '../../src/index.ts';
import { fills, programOf, programRig, resting, rests, submit, SYMBOL } from '../programs/program-rig.ts';

/** The smallest order is worth 5 USDT: 0.00009 BTC. */
const terms = { symbol: SYMBOL, side: 'buy', quantity: '0.02', over: '60s' } as const;

it.each([
  ['twap', twap({ ...terms, slices: 1, urgency: 'low' })],
  ['twap', twap({ ...terms, slices: 1 })],
  ['vwap', vwap({ ...terms, curve: [1] })],
] as const)(
  'programs/%s: an order at the touch rests on, with less than the smallest order left of it',
  (_, action) => {
    const rig = programRig();
    submit(rig, action);
    const { orderId } = rests(rig, 'buy');
    rig.venue.tellFill(orderId, '0.01995');
    rig.clock.advance(75_000);
    expect(rests(rig, 'buy').orderId).toBe(orderId);
    fills(rig, 'buy');
    expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'filled', filled: '0.02' });
    expect(rig.venue.creates()).toHaveLength(1);
  },
);

it('programs/twap: cancels such a rest for the next slice, and 30 s after its end says what is left', () => {
  const rig = programRig();
  submit(rig, twap({ ...terms, slices: 2 }));
  rig.venue.tellFill(rests(rig, 'buy').orderId, '0.00995');
  rig.clock.advance(20_000);
  expect(resting(rig)).toEqual(['buy 0.01 @ 60000']);
  rig.clock.advance(10_000);
  expect(resting(rig)).toEqual(['buy 0.01005 @ 60000']);
  rig.venue.tellFill(rests(rig, 'buy').orderId, '0.01');
  rig.clock.advance(59_000);
  expect(programOf(rig).state).toBe('working');
  rig.clock.advance(2_000);
  expect(resting(rig)).toEqual([]);
  expect(programOf(rig)).toMatchObject({ state: 'failed', reason: '0.00005 is left at the end' });
});
