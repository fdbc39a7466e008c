/**
 * Own orders on the best two levels of a book: a market order cancelled the best one alone, left once that had gone, and
 * traded with the second one. What a market order meets is now counted without own orders.
 */
import { expect, it } from 'vitest';
import { alarms, FixedMarket, makeRig, PERP } from '../execution/rig.ts';

const SYMBOL = 'BTCUSDT';

function market(others: number): FixedMarket {
  const fixed = new FixedMarket();
  fixed.bid = 6_000_100;
  fixed.levels = {
    bids: [
      [6_000_100, 200],
      [6_000_050, 200],
      [6_000_000, others],
      [5_999_000, 200],
      [5_998_000, 100_000],
    ],
    asks: [[fixed.ask, 100_000]],
  };
  return fixed;
}

it.each([
  ['what is enough beyond them', 100_000, ['60001', '60000.5']],
  ['less than that', 50, ['60001', '60000.5', '59990']],
] as const)('execution/own-orders-on-two-levels: goes with %s', (_, others, met) => {
  const rig = makeRig({ market: market(others) });
  for (const price of ['60001', '60000.5', '59990', '59000'])
    rig.executor.submit('maker', {
      kind: 'place',
      symbol: SYMBOL,
      side: 'buy',
      type: 'limit',
      price,
      quantity: '0.002',
    });
  rig.executor.submit('taker', { kind: 'place', symbol: SYMBOL, side: 'sell', type: 'market', quantity: '0.001' });
  const resting = rig.venue.resting().flatMap(({ side, price }) => (side === 'buy' ? [price] : []));
  expect(['60001', '60000.5', '59990', '59000'].filter((price) => !resting.includes(price))).toEqual(met);
  expect(rig.venue.creates().at(-1)).toMatchObject({ side: 'sell', type: 'market' });
});

/**
 * A create of one strategy whose answer was lost held every exit of all others on that side for the time of its proof, 70 s:
 * an exit waits for 10 s, five times, and `flatten` gave up for good.
 */
it('execution/own-orders-on-two-levels: an exit at the market passes an order of unknown outcome', async () => {
  const rig = makeRig({ specs: [PERP] });
  const { symbol } = PERP;
  rig.executor.submit('taker', { kind: 'place', symbol, side: 'sell', type: 'market', quantity: '0.01' });
  const [opened] = [...rig.venue.orders.keys()];
  rig.venue.positionsNow = [{ symbol, positionSide: 'both', quantity: '-0.01', entryPrice: '60000' } as never];
  rig.venue.tellFill(opened ?? '', '0.01', '60000');
  rig.venue.createMode = 'never-arrives';
  const place = { kind: 'place', symbol, side: 'sell', type: 'limit', price: '60001', quantity: '0.002' } as const;
  rig.executor.submit('maker', place);
  expect(rig.executor.unresolvedCount()).toBe(1);
  rig.venue.createMode = 'accept';
  rig.executor.submit('taker', { kind: 'flatten', symbol });
  const last = rig.venue.creates().at(-1);
  expect(last).toMatchObject({ side: 'buy', type: 'market', reduceOnly: true, quantity: '0.01' });
  expect(alarms(rig)).not.toContain('flatten_stuck');
  // New risk waits for it as before.
  const before = rig.venue.creates().length;
  rig.executor.submit('maker', { kind: 'place', symbol, side: 'buy', type: 'market', quantity: '0.02' });
  expect(rig.venue.creates()).toHaveLength(before);
});
