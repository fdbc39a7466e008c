/**
 * Where points of the equity curve share a time, as a close and a fill at the next open do, the leverage was that of the
 * last one alone: the close after which a position was closed was missing in its maximum.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { exposureOf } from '../../src/statistics/exposure.ts';
import { seriesOf } from '../../src/statistics/series.ts';
import { valuesOf } from '../../src/statistics/valuation.ts';
import { marketOrder, SYMBOL, World, type Row } from '../conformance/contracts-world.ts';
import { BTC, fill } from '../statistics/fixtures.ts';

const world = new World();
afterAll(() => world.close());

const MINUTE = 60_000;
const T0 = 28_333_334 * MINUTE;

const CONFIG = `
simulation: { slippageBps: 0, fees: { maker: 0, taker: 0.001 }, perpetuals: { leverage: 10 } }
risk: { maxOrderValue: 1e9, maxPosition: 1e9, maxOrderEquityFraction: 100, priceCollar: 1, dailyLossFraction: 1 }
`;

function bar(minute: number, open: number, close: number): Row {
  const openTime = T0 + minute * MINUTE;
  const prices = {
    open: `${open}`,
    high: `${Math.max(open, close)}`,
    low: `${Math.min(open, close)}`,
    close: `${close}`,
  };
  return { ts: openTime, symbol: SYMBOL, type: 'candle', intervalMs: MINUTE, openTime, ...prices, volume: '100000' };
}

describe('figures/leverage/at-a-shared-time', () => {
  it.each([
    ['short', 'sell', 'buy', 190, 150, -400],
    ['long', 'buy', 'sell', 80, 90, 2000],
  ] as const)('counts the close before the open that closes a %s', async (_, enter, leave, worst, open, held) => {
    const { path } = await world.record(
      [bar(0, 100, 100), bar(1, 100, worst), bar(2, open, open), bar(3, open, open)],
      '--market',
      'derivative',
    );
    const quantity = `${Math.abs(held)}`;
    const order = (side: 'buy' | 'sell') => marketOrder(side, quantity, side);
    const steps = [
      { at: T0 + MINUTE + 1, actions: [order(enter)] },
      { at: T0 + 2 * MINUTE + 1, actions: [order(leave)] },
    ];
    const flags = ['--param', `steps=${JSON.stringify(steps)}`, '--config', world.write('leverage.yaml', CONFIG)];
    const { result } = await world.run('scripted.ts', [path], ...flags);
    const cash = 100_000 + result.fills.slice(0, 1).reduce((sum, { fee }) => sum - Number(fee), 0);
    const [entry, exit] = result.fills;
    expect([entry?.quantity, exit?.quantity, exit?.ts]).toEqual([quantity, quantity, T0 + 2 * MINUTE]);
    const equity = cash + held * (worst - Number(entry?.price));
    expect(result.stats['maxLeverage']).toBeCloseTo((Math.abs(held) * worst) / equity, 9);
  });

  it('keeps the fills and mids of two symbols at one time apart', () => {
    const ETH = { ...BTC, base: 'ETH' };
    const fills = [
      fill({ ts: 0, side: 'buy', price: '100', quantity: '5', mid: 100 }),
      fill({ ts: 10, symbol: 'ETHUSDT', side: 'buy', price: '11', quantity: '50', fee: '1', mid: 10 }),
      fill({ ts: 10, side: 'sell', price: '79', quantity: '5', mid: 80 }),
    ];
    const { maxLeverage, meanLeverage } = exposureOf({
      values: valuesOf(fills, { BTCUSDT: BTC, ETHUSDT: ETH }),
      equity: seriesOf([
        [0, 1000],
        [0, 1000],
        // BTC falls to 70; it rises to 80; ETH bought; BTC sold; ETH rises to 12.
        [10, 850],
        [10, 900],
        [10, 849],
        [10, 844],
        [10, 944],
      ]),
      mids: {
        BTCUSDT: seriesOf([
          [0, 100],
          [10, 70],
          [10, 80],
        ]),
        ETHUSDT: seriesOf([
          [0, 10],
          [10, 12],
        ]),
      },
      from: 0,
      to: 20,
    });
    expect(maxLeverage).toBeCloseTo((5 * 80 + 50 * 10) / 849, 12);
    expect(meanLeverage).toBeCloseTo((0.5 + (50 * 12) / 944) / 2, 12);
  });
});
