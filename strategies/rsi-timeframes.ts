// Buys dips within a trend: the RSI of the long candles must say that the market is strong, that of the short ones that it has
// just been sold off.
//
//   npx tidewire backtest strategies/rsi-timeframes.ts --data data/sample-bars --without-lockbox
//
// Source: J. W. Wilder, New Concepts in Technical Trading Systems (1978); A. Elder's screens (Trading for a Living, 1993).
// Parameters: short and long (intervals), period, strong (RSI of the long candles), dip and relief (RSI of the short ones), quantity.
// It fails at the end of a trend, which looks like one more dip until the long RSI has turned.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −6.99 USDT in 31 trades after 8.92 of fees. No
//   evidence of an edge: trading loses money after costs (31 trades, by their sizes no more than 16 equal ones, DSR
//   0.04).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −25.52 USDT in 41 trades after 5.55 of
//   fees. No evidence of an edge: trading loses money after costs (41 trades, by their sizes no more than 13 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineCandleStrategy, target, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'rsi-timeframes',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    short: z.string().default('5m'),
    long: z.string().default('1h'),
    period: z.number().int().min(2).default(14),
    strong: z.number().min(0).max(100).default(50).describe('buys only while the long RSI is above this'),
    dip: z.number().min(0).max(100).default(30).describe('buys when the short RSI falls below this'),
    relief: z.number().min(0).max(100).default(60).describe('sells when the short RSI rises above this'),
    quantity: z.string().default('0.01').describe('base units'),
  }),
  intervals: ({ short, long }) => [short, long],
  warmup: ({ period }) => period * 2,
  setup: ({ params, indicators }) => ({
    short: indicators.rsi(params.period),
    long: indicators.rsi(params.period),
  }),
  // Of candles that close together the long one comes first.
  onCandle({ close }, { params, vars, interval, account, chart }) {
    const { symbol, quantity } = params;
    if (interval === params.long) {
      vars.long.next(close);
      return;
    }
    const short = vars.short.next(close);
    const long = vars.long.value;
    if (short === undefined || long === undefined) return;
    chart.plot('short RSI', short, { pane: 'rsi' });
    chart.plot('long RSI', long, { pane: 'rsi' });
    if (account.position(symbol).isFlat)
      return long > params.strong && short < params.dip ? target(symbol, { quantity }) : undefined;
    // A trend that is over is no dip.
    return short > params.relief || long < params.strong - 10 ? target(symbol, { quantity: '0' }) : undefined;
  },
});
