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

test('a fee in base is no part of the lot, and counts at its fill price', () => {
  const trades = tradesOf([
    fill({ side: 'buy', price: '60000', quantity: '0.1', fee: '0.0001', feeCurrency: 'BTC' }),
    fill({ side: 'sell', price: '60100', quantity: '0.0999', fee: '3' }),
    fill({ ts: T0 + 5, side: 'buy', price: '50000', quantity: '0.1', fee: '0.0001', feeCurrency: 'BTC' }),
    fill({ ts: T0 + 9, side: 'sell', price: '50000', quantity: '0.0999' }),
  ]);
  // Bought for 6000, sold for 6003.99 less 3; the next sale closes the next purchase, whole.
  expect(trades).toMatchObject([
    { quantity: 0.0999, fees: 9, pnl: 0.99 },
    { quantity: 0.0999, entryTs: T0 + 5, exitTs: T0 + 9, fees: 5, pnl: -5 },
  ]);
});

test('a fee in base takes from what a sale leaves, and a part of a lot bears its part of it', () => {
  const base = { feeCurrency: 'BTC' };
  const trades = tradesOf([
    fill({ side: 'buy', price: '100', quantity: '1', fee: '0.2', ...base }),
    fill({ side: 'sell', price: '200', quantity: '0.3', fee: '0.1', ...base }),
    fill({ side: 'sell', price: '200', quantity: '0.4' }),
  ]);
  expect(trades).toMatchObject([
    { quantity: 0.4, fees: 10 + 20, pnl: 10 },
    { quantity: 0.4, fees: 10, pnl: 30 },
  ]);
});

test('a purchase with a fee in base closes as much less of a short', () => {
  const trades = tradesOf([
    fill({ side: 'sell', price: '110', quantity: '1' }),
    fill({ side: 'buy', price: '100', quantity: '1', fee: '0.01', feeCurrency: 'BTC' }),
    fill({ side: 'buy', price: '90', quantity: '0.01' }),
  ]);
  expect(trades).toMatchObject([
    { direction: 'short', quantity: 0.99, fees: 1, pnl: 8.9 },
    { direction: 'short', quantity: 0.01, fees: 0, pnl: 0.2 },
  ]);
});

test('a fee in another currency, and one of a derivative in its base, leaves the lot whole', () => {
  const points = { fee: '2', feeCurrency: 'POINT', feeValue: '0.5' };
  const [trade] = tradesOf([
    fill({ side: 'buy', price: '100', quantity: '1', ...points }),
    fill({ side: 'sell', price: '110', quantity: '1', ...points }),
  ]);
  expect(trade).toMatchObject({ quantity: 1, fees: 1, pnl: 9 });
  const inBase = { fee: '0.001', feeCurrency: 'BTC' };
  const fills = [
    fill({ side: 'sell', price: '110', quantity: '1', ...inBase }),
    fill({ side: 'buy', price: '100', quantity: '1', ...inBase }),
  ];
  const trades = matchTrades(valuesOf(fills, { BTCUSDT: { ...BTC, market: 'derivative' } }));
  expect(trades).toMatchObject([{ direction: 'short', quantity: 1, fees: expect.closeTo(0.21, 12) }]);
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

/** Hundredths; `inBase`: the fee is that part of a hundredth of the quantity, else that of the currency. */
const anyPaid = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 90, max: 110 }),
  quantity: fc.integer({ min: 1, max: 900 }),
  fee: fc.integer({ min: -20, max: 50 }),
  paidIn: fc.constantFrom('base', 'quote', 'other'),
});

test('trades plus what stays open equal cash plus position, whatever the fees are paid in', () => {
  fc.assert(
    fc.property(fc.array(anyPaid, { maxLength: 40 }), (rows) => {
      const fills = rows.map(({ side, price, quantity, fee, paidIn }, ts) => {
        const what = { ts, side, price: String(price), quantity: dec(quantity).times('0.01').toFixed() };
        if (paidIn === 'quote') return fill({ ...what, fee: String(fee) });
        if (paidIn === 'other') return fill({ ...what, fee: '3', feeCurrency: 'POINT', feeValue: String(fee) });
        return fill({ ...what, fee: dec(quantity).times(fee).times('0.0001').toFixed(), feeCurrency: 'BTC' });
      });
      let cash = dec(0);
      let position = dec(0);
      for (const { side, price, quantity, fee, feeCurrency, feeValue } of fills) {
        const [sign, notional] = [side === 'buy' ? 1 : -1, dec(price).times(quantity)];
        cash = cash.minus(notional.times(sign)).minus(feeCurrency === 'BTC' ? 0 : (feeValue ?? fee));
        position = position.plus(dec(quantity).times(sign)).minus(feeCurrency === 'BTC' ? fee : 0);
      }
      if (!position.isZero()) {
        const rest = position.abs().toFixed();
        fills.push(fill({ ts: 99, side: position.isPositive() ? 'sell' : 'buy', price: '100', quantity: rest }));
      }
      const trades = tradesOf(fills);
      const pnl = trades.reduce((sum, trade) => sum + trade.pnl, 0);
      expect(pnl).toBeCloseTo(cash.plus(position.times(100)).toNumber(), 8);
      // Flat: the next fill opens.
      const [next] = tradesOf([
        ...fills,
        fill({ ts: 100, side: 'sell', price: '7', quantity: '5' }),
        fill({ ts: 101, side: 'buy', price: '7', quantity: '5' }),
      ]).slice(trades.length);
      expect(next).toMatchObject({ direction: 'short', quantity: 5, entryTs: 100, exitTs: 101 });
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
