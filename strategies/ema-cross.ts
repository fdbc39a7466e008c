// Holds a position while the fast average is above the slow one, and none while it is below.
//
//   npx tidewire backtest strategies/ema-cross.ts --data data/sample-bars --without-lockbox --param fast=20 --param slow=50
//
// A candle strategy needs no RxJS: `onCandle` is called with each closed candle and answers what should be held.
//
// Source: folklore.
// Parameters: interval, fast and slow (periods of the averages), quantity.
// It fails in a market that goes sideways: the averages cross again and again, and each crossing costs two fees.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −507.43 USDT in 1259 trades after 355.76 of fees.
//   No evidence of an edge: trading loses money after costs (1259 trades, by their sizes no more than 627 equal ones,
//   DSR 0.00).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −397.57 USDT in 2134 trades after 276.54
//   of fees. No evidence of an edge: trading loses money after costs (2134 trades, by their sizes no more than 653
//   equal ones, DSR 0.00).
// (end of evidence)
import { defineCandleStrategy, target, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'ema-cross',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    interval: z.string().default('1m'),
    fast: z.number().int().positive().default(12),
    slow: z.number().int().positive().default(26),
    quantity: z.string().default('0.01').describe('base units held while the trend is up'),
  }),
  interval: ({ interval }) => interval,
  // Candles to see before the first decision. They come from before the start where there are any, so that the first
  // decision falls on the same candle in every mode. Three times the slow period lets the averages forget their start.
  warmup: ({ slow }) => slow * 3,
  setup: ({ params, indicators }) => ({
    fast: indicators.ema(params.fast),
    slow: indicators.ema(params.slow),
  }),
  onCandle(candle, { params, vars, chart }) {
    const fast = vars.fast.next(candle.close);
    const slow = vars.slow.next(candle.close);
    if (fast === undefined || slow === undefined) return;
    // For the report, drawn over the prices.
    chart.plot('fast', fast);
    chart.plot('slow', slow);
    // A target is the position that should be held: naming it again when it is held already sends nothing.
    return target(params.symbol, { quantity: fast > slow ? params.quantity : '0' });
  },
});
