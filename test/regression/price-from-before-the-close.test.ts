/**
 * Found by a stranger: on bars the report of a limit that filled inside a bar came after the bar's close, and its price took
 * the place of the close. Stops fired at prices the market had left, and quotes were denied for crossing it.
 */
import { afterAll, expect, it } from 'vitest';
import { bar, BARS_FROM, SYMBOL, told, World } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;

const FLAT = [100, 100, 100, 100];
const limit = { kind: 'place', symbol: SYMBOL, side: 'buy', type: 'limit', price: '99.5', quantity: '1' };
const stop = { kind: 'stop', symbol: SYMBOL, side: 'buy', quantity: '2', trigger: '99.3', reduceOnly: false };
/** The third bar falls through the limit and closes far below it. */
const FALL = [
  bar(0, FLAT),
  bar(1, FLAT),
  bar(2, [100, 100, 99, 99]),
  bar(3, [99, 99.1, 98.9, 99]),
  bar(4, [99, 99, 99, 99]),
];

it('does not fire a stop by the price of a fill before the close', async () => {
  const { fills } = await world.play(
    FALL,
    [
      { at: BARS_FROM + 2 * MINUTE + 1, actions: [limit] },
      { at: BARS_FROM + 3 * MINUTE + 2, actions: [stop] },
    ],
    {},
  );
  expect(told(fills)).toHaveLength(1);
});

it('lets a maker quote between the close and such a fill', async () => {
  const ask = {
    kind: 'place',
    symbol: SYMBOL,
    side: 'sell',
    type: 'limit',
    price: '99.2',
    quantity: '1',
    postOnly: true,
  };
  const { orders } = await world.play(
    FALL,
    [
      { at: BARS_FROM + 2 * MINUTE + 1, actions: [limit] },
      { at: BARS_FROM + 3 * MINUTE + 100, actions: [ask] },
    ],
    {},
  );
  expect(orders).toMatchObject([{ price: '99.5' }, { price: '99.2', state: 'canceled' }]);
});
