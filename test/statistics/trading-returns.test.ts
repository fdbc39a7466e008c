import { describe, expect, it } from 'vitest';
import type { FillRecord } from '../../src/statistics/inputs.ts';
import { seriesOf } from '../../src/statistics/series.ts';
import { tradingReturns } from '../../src/statistics/trading-returns.ts';

const base = { symbol: 'BTCUSDT', liquidity: 'maker' as const, orderRef: 'r', tag: 't', mid: null };
const spot = { base: 'BTC', quote: 'USDT', market: 'spot' as const, lotSize: '0.001' };
const perpetual = { ...spot, market: 'derivative' as const, contractSize: '0.1' };

function fill(
  ts: number,
  side: 'buy' | 'sell',
  price: string,
  quantity: string,
  fee: string,
  feeCurrency: string,
): FillRecord {
  return { ...base, ts, side, price, quantity, fee, feeCurrency };
}

describe('returns of trading alone', () => {
  const mids = {
    BTCUSDT: seriesOf([
      [0, 100],
      [1000, 110],
      [2000, 120],
      [3000, 90],
    ]),
  };
  const period = { from: 0, to: 3000 };

  it('are those of the position at the mid, fees in base taken from it', () => {
    const fills = [fill(500, 'buy', '100', '2', '0.1', 'BTC'), fill(2000, 'sell', '120', '1', '1.2', 'USDT')];
    const { values, sampleMs } = tradingReturns({
      fills,
      symbols: { BTCUSDT: spot },
      mids,
      funding: [],
      start: 1000,
      period,
    });
    // 1.9 BTC at 110; then 0.9 BTC at 120 and 118.8 of cash; then 0.9 BTC at 90.
    const levels = [1000, 1000 - 200 + 1.9 * 110, 1000 - 200 + 118.8 + 0.9 * 120, 1000 - 200 + 118.8 + 0.9 * 90];
    expect(sampleMs).toBe(1000);
    expect(values).toHaveLength(3);
    for (const [index, value] of values.entries())
      expect(value).toBeCloseTo(levels[index + 1]! / levels[index]! - 1, 12);
  });

  it('do not move with the market while nothing is held, whatever the account had', () => {
    const { values } = tradingReturns({ fills: [], symbols: {}, mids, funding: [], start: 1000, period });
    expect([...values]).toEqual([0, 0, 0]);
  });

  it('take the size of a contract and funding into account', () => {
    const fills = [fill(0, 'sell', '100', '10', '0.5', 'USDT')];
    const funding = [{ ts: 1500, amount: '3' }];
    const { values } = tradingReturns({ fills, symbols: { BTCUSDT: perpetual }, mids, funding, start: 1000, period });
    // One BTC short from 100, a fee of 0.5.
    const levels = [999.5, 989.5, 982.5, 1012.5];
    for (const [index, value] of values.entries())
      expect(value).toBeCloseTo(levels[index + 1]! / levels[index]! - 1, 12);
  });
});
