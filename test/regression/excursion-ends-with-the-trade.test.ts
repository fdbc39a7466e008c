/**
 * The excursions of a trade that a limit closed inside a bar counted the open of the next bar, which has the same time as
 * the close that the fill bears.
 */
import { afterAll, expect, it } from 'vitest';
import { limit, marketOrder, SYMBOL, World, type Row } from '../conformance/contracts-world.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

type Prices = readonly [open: number, high: number, low: number, close: number];

function bar(minute: number, [open, high, low, close]: Prices): Row {
  const openTime = T0 + minute * MINUTE;
  const prices = { open: `${open}`, high: `${high}`, low: `${low}`, close: `${close}` };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: '1000' };
}

const at = (ms: number, ...actions: object[]) => ({ at: T0 + ms, actions });

it('ends with the bar of the exit, and begins with that of the entry', async () => {
  const rows = [
    bar(0, [100, 100.5, 99.5, 100]),
    bar(1, [100, 101.5, 99.5, 101.4]),
    // The exit at 101 comes back, the next bar opens far above.
    bar(2, [104, 104.5, 103.5, 104]),
    // The entry at 102 closes at 102.5, the next bar opens far below.
    bar(3, [104, 104.5, 101, 102.5]),
    bar(4, [99, 99.5, 98.5, 99]),
    bar(5, [99, 99.5, 98.5, 99]),
  ];
  const steps = [
    at(MINUTE + 1, marketOrder('buy', '1', 'in')),
    at(MINUTE + 2, limit('sell', '101', '1', 'out')),
    at(3 * MINUTE + 1, limit('buy', '102', '1', 'in-inside')),
    at(4 * MINUTE + 1, marketOrder('sell', '1', 'out-at-open')),
  ];
  const config = 'simulation: { slippageBps: 0, fees: { maker: 0, taker: 0 } }';
  const { excursions } = await world.play(rows, steps, { config });
  expect((excursions as number[][]).map((each) => each.map((value) => Number(value.toFixed(6))))).toEqual([
    [0, 1],
    [3, 0.5],
  ]);
});
