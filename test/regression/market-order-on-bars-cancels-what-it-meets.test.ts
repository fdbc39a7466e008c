/**
 * On bars a market order cancelled every resting own order of the other side, however far away: without a book nothing
 * said how far it reaches. It meets those up to the last price.
 */
import { afterAll, expect, it } from 'vitest';
import { ownOrdersMet } from '../../src/execution/rules/placement-checks.ts';
import type { OwnOrder } from '../../src/spine/orders/own-order.ts';
import { limit, marketOrder, SYMBOL, World, type Row } from '../conformance/contracts-world.ts';
import { perpetual } from '../simulation/market.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

/** The last bar goes through 99.7 and 100.3. */
function bar(minute: number): Row {
  const openTime = T0 + minute * MINUTE;
  const reach = minute === 3 ? 0.5 : 0.2;
  const prices = { open: '100', high: `${100 + reach}`, low: `${100 - reach}`, close: '100' };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: '1000' };
}

it.each([
  ['buy', 'sell', 100.3, 100],
  ['sell', 'buy', 99.7, 100],
] as const)('a market %s cancels no resting %s beyond the last price', async (side, other, away, near) => {
  const step = (ms: number, ...actions: object[]) => ({ at: T0 + MINUTE + ms, actions });
  const resting = [limit(other, `${away}`, '1', 'away'), limit(other, `${near}`, '1', 'near')];
  const { orders } = await world.play(
    [0, 1, 2, 3].map((minute) => bar(minute)),
    [step(MINUTE / 2, ...resting), step(MINUTE / 2 + 2000, marketOrder(side, '1', 'market'))],
  );
  expect(orders.map(({ ref, state }) => `${ref} ${state}`)).toEqual(['away filled', 'near canceled', 'market filled']);
});

it('where no price is known a market order meets them all', () => {
  const order = { instrument: perpetual, side: 'buy', ticks: 0, lots: 1, isMarket: true, postOnly: false } as const;
  const resting = [{ side: 'sell', ticks: 9_999_999, isMarket: false, progress: { state: 'working' } }];
  const market = { best: () => undefined, sweep: () => undefined, mid: () => undefined };
  expect(ownOrdersMet(market, order, resting as unknown as OwnOrder[])).toHaveLength(1);
});
