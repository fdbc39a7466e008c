import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dec } from '../../src/model/numbers/money.ts';
import type { FillRecord } from '../../src/statistics/inputs.ts';
import { seriesOf } from '../../src/statistics/series.ts';
import { excursionsOf, tradeMetrics } from '../../src/statistics/trade-metrics.ts';
import { matchTrades } from '../../src/statistics/trades.ts';
import { valuesOf } from '../../src/statistics/valuation.ts';
import { BTC, T0, fill } from './fixtures.ts';

const tradesOf = (fills: readonly FillRecord[]) => matchTrades(valuesOf(fills, { BTCUSDT: BTC }));

test('an exit closes the oldest lots first, and fees are shared by quantity', () => {
  const trades = tradesOf([
    fill({ ts: 0, side: 'buy', price: '100', quantity: '1', fee: '0.1' }),
    fill({ ts: 10, side: 'buy', price: '110', quantity: '2', fee: '0.4' }),
    fill({ ts: 30, side: 'sell', price: '120', quantity: '2', fee: '0.2' }),
  ]);
  expect(trades).toMatchObject([
    { direction: 'long', quantity: 1, entryTs: 0, exitTs: 30, entryPrice: 100, exitPrice: 120, fees: 0.2, pnl: 19.8 },
    { direction: 'long', quantity: 1, entryTs: 10, exitTs: 30, entryPrice: 110, exitPrice: 120, fees: 0.3, pnl: 9.7 },
  ]);
});

test('a sell without a long opens a short, and one fill can close it and open a long', () => {
  const trades = tradesOf([
    fill({ ts: 0, side: 'sell', price: '100', quantity: '1' }),
    fill({ ts: 1, side: 'buy', price: '90', quantity: '3' }),
    fill({ ts: 2, side: 'sell', price: '95', quantity: '2' }),
  ]);
  expect(trades).toMatchObject([
    { direction: 'short', quantity: 1, pnl: 10 },
    { direction: 'long', quantity: 2, pnl: 10 },
  ]);
});

test('a fee in base counts at its fill price', () => {
  const [trade] = tradesOf([
    fill({ side: 'buy', price: '60000', quantity: '0.1', fee: '0.0001', feeCurrency: 'BTC' }),
    fill({ side: 'sell', price: '60100', quantity: '0.1', fee: '3' }),
  ]);
  expect(trade).toMatchObject({ fees: 9, pnl: 1 });
});

test('quantities match exactly where doubles would leave dust', () => {
  const trades = tradesOf([
    fill({ side: 'buy', price: '1', quantity: '0.1' }),
    fill({ side: 'buy', price: '1', quantity: '0.2' }),
    fill({ side: 'sell', price: '1', quantity: '0.3' }),
    fill({ side: 'sell', price: '2', quantity: '1' }),
  ]);
  expect(trades).toHaveLength(2);
});

test('the two sides of hedge mode do not close each other', () => {
  const trades = tradesOf([
    fill({ side: 'buy', price: '1', quantity: '1', positionSide: 'long' }),
    fill({ side: 'sell', price: '2', quantity: '1', positionSide: 'short' }),
  ]);
  expect(trades).toHaveLength(0);
});

test('what one strategy holds another does not close', () => {
  const trades = tradesOf([
    fill({ side: 'buy', price: '1', quantity: '1', strategy: 'maker', tag: 'entry' }),
    fill({ side: 'sell', price: '2', quantity: '1', strategy: 'cross', tag: 'entry' }),
    fill({ side: 'sell', price: '3', quantity: '1', strategy: 'maker', tag: 'exit' }),
  ]);
  expect(trades).toMatchObject([{ strategy: 'maker', direction: 'long', pnl: 2, entryTag: 'entry', exitTag: 'exit' }]);
});

const anyFill = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 90, max: 110 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  fee: fc.integer({ min: 0, max: 50 }),
});

test('the trades of several strategies are those of each alone', () => {
  const owned = fc.tuple(anyFill, fc.constantFrom('maker', 'cross', 'carry'));
  fc.assert(
    fc.property(fc.array(owned, { maxLength: 60 }), (rows) => {
      const fills = rows.map(([{ side, price, quantity, fee }, strategy], ts) =>
        fill({ ts, side, price: String(price), quantity: String(quantity), fee: String(fee), strategy }),
      );
      const together = Map.groupBy(tradesOf(fills), ({ strategy }) => strategy);
      for (const [strategy, own] of Map.groupBy(fills, (each) => each.strategy))
        expect(together.get(strategy) ?? []).toEqual(tradesOf(own));
    }),
  );
});

test('trades plus what stays open equal cash plus position, fees included', () => {
  fc.assert(
    fc.property(fc.array(anyFill, { maxLength: 40 }), (rows) => {
      const fills = rows.map(({ side, price, quantity, fee }, ts) =>
        fill({ ts, side, price: String(price), quantity: String(quantity), fee: String(fee) }),
      );
      const closing = fills.reduce((sum, f) => sum + Number(f.quantity) * (f.side === 'buy' ? 1 : -1), 0);
      const flat = Math.abs(closing);
      if (flat > 0) {
        fills.push(fill({ ts: 99, side: closing > 0 ? 'sell' : 'buy', price: '100', quantity: String(flat) }));
      }
      let cash = dec(0);
      for (const f of fills) {
        const notional = dec(f.price).times(f.quantity);
        cash = (f.side === 'buy' ? cash.minus(notional) : cash.plus(notional)).minus(f.fee);
      }
      const pnl = tradesOf(fills).reduce((sum, trade) => sum + trade.pnl, 0);
      expect(pnl).toBeCloseTo(cash.toNumber(), 8);
    }),
  );
});

test('metrics of four trades, by hand', () => {
  const round = (ts: number, exit: string): FillRecord[] => [
    fill({ ts, side: 'buy', price: '100', quantity: '1' }),
    fill({ ts: ts + 1000, side: 'sell', price: exit, quantity: '1' }),
  ];
  const trades = tradesOf([...round(0, '110'), ...round(2000, '120'), ...round(4000, '100'), ...round(6000, '85')]);
  const metrics = tradeMetrics(trades, excursionsOf(trades, {}));
  expect(metrics).toMatchObject({
    trades: 4,
    profitFactor: 2,
    payoff: 1,
    expectancy: 3.75,
    maxWinStreak: 2,
    maxLossStreak: 1,
    avgHoldingMs: 1000,
    mae: null,
  });
  expect(metrics.winRate).toBeCloseTo(2 / 3, 14);
  expect(metrics.kelly).toBeCloseTo(1 / 3, 14);
  const std = Math.sqrt((6.25 ** 2 + 16.25 ** 2 + 3.75 ** 2 + 18.75 ** 2) / 3);
  expect(metrics.sqn).toBeCloseTo((2 * 3.75) / std, 12);
});

test('excursions come from the mids while the trade was open', () => {
  const mids = seriesOf([
    [T0 - 50, 500],
    [T0, 100],
    [T0 + 10, 92],
    [T0 + 20, 107],
    [T0 + 30, 104],
    [T0 + 40, 1],
  ]);
  const long = [
    fill({ ts: T0, side: 'buy', price: '100', quantity: '2' }),
    fill({ ts: T0 + 30, side: 'sell', price: '104', quantity: '2' }),
  ];
  expect(tradeMetrics(tradesOf(long), excursionsOf(tradesOf(long), { BTCUSDT: mids }))).toMatchObject({
    mae: 16,
    mfe: 14,
  });
  const short = [
    fill({ ts: T0, side: 'sell', price: '100', quantity: '2' }),
    fill({ ts: T0 + 30, side: 'buy', price: '104', quantity: '2' }),
  ];
  expect(tradeMetrics(tradesOf(short), excursionsOf(tradesOf(short), { BTCUSDT: mids }))).toMatchObject({
    mae: 14,
    mfe: 16,
  });
});

test('a trade in another currency counts at the rate of its exit, and each fee at that of its fill', () => {
  const other = { symbol: 'ETHBTC', feeCurrency: 'BTC' };
  const symbols = { ETHBTC: { ...BTC, base: 'ETH', quote: 'BTC', quoteRate: '999' } };
  const fills = [
    fill({ ...other, ts: 0, side: 'buy', price: '0.05', quantity: '2', fee: '0.001', quoteRate: '60000' }),
    fill({ ...other, ts: 9, side: 'sell', price: '0.06', quantity: '2', fee: '0.002', quoteRate: '70000' }),
  ];
  const [trade] = matchTrades(valuesOf(fills, symbols));
  expect(trade).toMatchObject({ fees: 60 + 140, pnl: 2 * 0.01 * 70_000 - 200, unit: 70_000 });
});

test('no trades, no numbers, and no loss means no factor', () => {
  expect(tradeMetrics([], [])).toMatchObject({
    trades: 0,
    winRate: null,
    profitFactor: null,
    expectancy: null,
    sqn: null,
  });
  const won = tradesOf([
    fill({ side: 'buy', price: '1', quantity: '1' }),
    fill({ side: 'sell', price: '2', quantity: '1' }),
  ]);
  expect(tradeMetrics(won, [])).toMatchObject({ winRate: 1, profitFactor: null, payoff: null, kelly: null, sqn: null });
});
