// npx vitest run strategies/my-strategy.test.ts
import { scenario, type Scenario } from 'tidewire/testing';
import { expect, test } from 'vitest';
import strategy from './my-strategy.ts';

const params = { lookback: 5, enter: 1.5, leave: 0.5, quantity: '0.1' };
const ETH = 3_000;

/** One look a second, at these prices of BTC. */
function prices(bitcoin: readonly number[]): Scenario {
  return bitcoin.reduce(
    (so, price) => so.book({ bid: price - 1, ask: price + 1, symbol: 'BTCUSDT' }).advance('1s'),
    scenario({ strategy, params }).book({
      bid: ETH - 0.1,
      ask: ETH + 0.1,
      bidQuantity: 100,
      askQuantity: 100,
      symbol: 'ETHUSDT',
    }),
  );
}

test('sells the dear one and buys the cheap one, for the same money', async () => {
  const scene = await prices([60_000, 60_001, 60_000, 60_001, 60_600]);
  const money = Object.fromEntries(
    scene.fills.map((fill) => [`${fill.side} ${fill.symbol}`, Number(fill.price) * Number(fill.quantity)]),
  );
  expect(Object.keys(money).toSorted()).toEqual(['buy ETHUSDT', 'sell BTCUSDT']);
  expect(money['buy ETHUSDT']).toBeCloseTo(money['sell BTCUSDT'] ?? 0, -1);
});

test('leaves when the ratio is back at its mean', async () => {
  const scene = await prices([60_000, 60_001, 60_000, 60_001, 60_600, 60_400, 60_500, 60_450, 60_475, 60_475]).advance(
    '5s',
  );
  expect(scene.fills).toHaveLength(4);
  expect(['BTCUSDT', 'ETHUSDT'].map((symbol) => scene.position(symbol).isFlat)).toEqual([true, true]);
});

test('does nothing while the two move together', async () => {
  const scene = await prices([60_000, 60_001, 60_000, 60_001, 60_000, 60_001]);
  expect(scene.fills).toEqual([]);
});
