/**
 * The tick of bars is inferred from their prices: of prices that are all round it was coarse, and slippage is rounded up to
 * the tick. A market order at bars of a constant 100 traded at 200.
 */
import { afterAll, expect, it } from 'vitest';
import { marketOrder, SYMBOL, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

function bar(minute: number, price: number): Row {
  const openTime = T0 + minute * MINUTE;
  const prices = { open: `${price}`, high: `${price}`, low: `${price}`, close: `${price}` };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: '1000' };
}

it.each([
  [100, '100.01'],
  [2000, '2000.2'],
  [0.001, '0.0010001'],
])('a market order at bars of a constant %d trades at %s', async (price, traded) => {
  const rows = [0, 1, 2, 3].map((minute) => bar(minute, price));
  const { fills } = await world.play(rows, [{ at: T0 + MINUTE + 1, actions: [marketOrder('buy', '1', 'in')] }]);
  expect(fills.map((fill) => fill.price)).toEqual([traded]);
});

it('many prices show their step, and a coarse one is named', async () => {
  const rows = Array.from({ length: 120 }, (_, minute) => bar(minute, 100 + minute));
  const { printed } = await world.record(rows);
  const { warnings } = JSON.parse(printed.out) as { warnings: string[] };
  expect(warnings).toContain(
    'AAAUSDT: tick 1 is 100.0 basis points of the least price: slippage on bars is rounded up to it',
  );
});
