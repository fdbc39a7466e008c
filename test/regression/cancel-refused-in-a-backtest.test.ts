/**
 * Found by a stranger: in a backtest a cancel that the exchange refused in an outage was never repeated, as paper and live repeat
 * it. The order filled seconds later.
 */
import { afterAll, expect, it } from 'vitest';
import { limit, SYMBOL, told, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const T0 = 1_700_000_000_000;

function depth(ms: number, bid: number): Row {
  const levels = { bids: [[String(bid), '5']], asks: [[String(bid + 1), '5']] };
  return { ts: T0 + ms, symbol: SYMBOL, type: 'depth', snapshot: true, ...levels };
}

it.each([
  ['cancel', { kind: 'cancel', ref: 'one' }],
  ['cancelAll', { kind: 'cancelAll' }],
])('%s is repeated until the outage is over', async (_, action) => {
  // At the end the price falls through the order.
  const rows = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => depth(second * 1000, second < 8 ? 100 : 96));
  const steps = [
    { at: T0 + 500, actions: [limit('buy', '99', '1', 'one')] },
    { at: T0 + 2_000, actions: [action] },
  ];
  const config = 'simulation: { stress: { outages: [{ atMs: 1900, forMs: 600 }] } }';
  const { fills } = await world.play(rows, steps, { config });
  expect(told(fills)).toEqual([]);
  // Without a cancel it does.
  expect(told((await world.play(rows, steps.slice(0, 1), { config })).fills)).toHaveLength(1);
});
