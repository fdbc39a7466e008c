/** The curve of one strategy against a count by hand, and its end against plain sums. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FillRecord, SymbolRecord } from '../../src/statistics/inputs.ts';
import { pointsOf, seriesOf } from '../../src/statistics/series.ts';
import { strategyCurve } from '../../src/statistics/strategy-curve.ts';
import { valuesOf } from '../../src/statistics/valuation.ts';

const A: SymbolRecord = { base: 'AAA', quote: 'BBB', market: 'spot', lotSize: '1' };
const P: SymbolRecord = { ...A, market: 'derivative', contractSize: '0.1' };

function fill(
  ts: number,
  side: 'buy' | 'sell',
  price: number,
  quantity: number,
  more: Partial<FillRecord> = {},
): FillRecord {
  const what = {
    ts,
    symbol: 'A',
    side,
    price: String(price),
    quantity: String(quantity),
    fee: '0',
    feeCurrency: 'BBB',
  };
  return { ...what, liquidity: 'taker', orderRef: `r${ts}`, tag: '', mid: price, ...more };
}

describe('the curve of a strategy', () => {
  it('moves with what it holds, and not with what it does not', () => {
    const values = valuesOf([fill(10, 'buy', 100, 2, { fee: '1' }), fill(30, 'sell', 120, 2)], { A });
    const mids = {
      A: seriesOf([
        [0, 90],
        [10, 100],
        [20, 130],
        [40, 200],
      ]),
    };
    const funding = [{ ts: 35, amount: '-3' }];
    const { equity, netPnl } = strategyCurve({
      from: 0,
      to: 50,
      capital: 1000,
      values,
      funding,
      mids,
      last: () => 200,
    });
    expect(pointsOf(equity)).toEqual([
      [0, 1000],
      [10, 999],
      [20, 1059],
      [30, 1039],
      [35, 1036],
      [50, 1036],
    ]);
    expect(netPnl).toBe(36);
  });

  it('counts a fee in base as less that is held, and the contract size', () => {
    const spot = valuesOf([fill(10, 'buy', 100, 10, { fee: '1', feeCurrency: 'AAA' })], { A });
    const ends = (values: typeof spot, price: number | undefined) =>
      strategyCurve({ from: 0, to: 50, capital: 0, values, funding: [], mids: {}, last: () => price }).netPnl;
    expect(ends(spot, 110)).toBe(9 * 110 - 1000);
    const short = valuesOf([fill(10, 'sell', 100, 10)], { A: P });
    expect(ends(short, 90)).toBeCloseTo(10, 9);
    expect(ends(short, undefined)).toBe(null);
    const foreign = valuesOf([fill(10, 'buy', 100, 1, { fee: '1', feeCurrency: 'CCC' })], { A });
    expect(ends(foreign, 110)).toBe(null);
  });

  it('ends at the sum of what was paid, got and is held, whatever was traded', () => {
    const trade = fc.record({
      symbol: fc.constantFrom('A', 'P'),
      buys: fc.boolean(),
      price: fc.integer({ min: 1, max: 500 }),
      quantity: fc.integer({ min: 1, max: 9 }),
      fee: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 40 }), fc.integer({ min: 1, max: 500 }), (trades, end) => {
        let expected = 0;
        const fills = trades.map(({ symbol, buys, price, quantity, fee }, index) => {
          const unit = symbol === 'P' ? 0.1 : 1;
          expected += (buys ? 1 : -1) * (end - price) * quantity * unit - fee;
          return fill(index, buys ? 'buy' : 'sell', price, quantity, { symbol, fee: String(fee) });
        });
        const mids = { A: seriesOf(trades.map(({ price }, ts) => [ts + 0.5, price] as const)) };
        const values = valuesOf(fills, { A, P });
        const { equity, netPnl } = strategyCurve({
          from: 0,
          to: 99,
          capital: 500,
          values,
          funding: [],
          mids,
          last: () => end,
        });
        expect(netPnl).toBeCloseTo(expected, 6);
        const times = pointsOf(equity).map(([ts]) => ts);
        expect(times).toEqual(times.toSorted((left, right) => left - right));
      }),
    );
  });
});
