/**
 * Found by a stranger: a bracket expired at once, while the cancel of its entry was on its way. The entry filled first, and
 * its position stayed without stop and take-profit.
 */
import { expect, it } from 'vitest';
import { bracket, dca, grid } from '../../src/index.ts';
import { fills, programOf, programRig, resting, rests, size, submit, SYMBOL } from '../programs/program-rig.ts';

const entry = { symbol: SYMBOL, side: 'buy', type: 'limit', quantity: '0.02', price: '59900' } as const;
const protectedEntry = bracket({ entry, takeProfit: '61000', stopLoss: '59000', expire: '60s' });

it('protects what its entry fills while the cancel is on its way', () => {
  const rig = programRig();
  submit(rig, protectedEntry);
  const { orderId } = rests(rig, 'buy');
  rig.venue.cancelMode = 'hold';
  rig.clock.advance(60_000);
  expect(programOf(rig)).toMatchObject({ state: 'working' });
  rig.venue.tellFill(orderId, '0.02');
  expect(size(rig)).toBe(0.02);
  expect(resting(rig)).toEqual(['sell 0.02 @ 61000']);
  rig.venue.cancelMode = 'accept';
  rig.market.move(58_999);
  expect(resting(rig)).toEqual(['sell 0.02 @ market']);
  fills(rig, 'sell', '58999');
  expect(programOf(rig)).toMatchObject({ state: 'done', reason: 'stopLoss' });
});

it('protects a partial fill whose rest is cancelled', () => {
  const rig = programRig();
  submit(rig, protectedEntry);
  const { orderId } = rests(rig, 'buy');
  rig.venue.cancelMode = 'hold';
  rig.clock.advance(60_000);
  rig.venue.tellFill(orderId, '0.005');
  rig.venue.end(orderId, 'canceled');
  rig.venue.tell(orderId);
  expect(resting(rig)).toEqual(['sell 0.005 @ 61000']);
  expect(programOf(rig).state).toBe('working');
});

it.each([
  ['bracket', protectedEntry],
  [
    'dca',
    dca({
      symbol: SYMBOL,
      side: 'buy',
      levels: [{ bps: 50, quantity: '0.01' }],
      takeProfit: { bps: 100 },
      expire: '60s',
    }),
  ],
  [
    'grid',
    grid({
      symbol: SYMBOL,
      low: '59000',
      high: '59800',
      levels: 3,
      quantity: '0.01',
      side: 'long',
      expire: '60s',
    }),
  ],
] as const)('a %s expires once its entries are closed', (_, action) => {
  const rig = programRig();
  submit(rig, action);
  expect(resting(rig).length).toBeGreaterThan(0);
  rig.clock.advance(60_000);
  expect(resting(rig)).toEqual([]);
  expect(programOf(rig)).toMatchObject({ state: 'canceled', reason: 'expired' });
});
