// Holds a position while the fast average is above the slow one, and none while it is below.
//
//   npx tidewire backtest strategies/ema-cross.ts --data PATH --param fast=20 --param slow=50
//
// A candle strategy needs no RxJS: `onCandle` is called with each closed candle and answers what should be held.
import { defineCandleStrategy, target, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'ema-cross',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    fast: z.number().int().positive().default(12),
    slow: z.number().int().positive().default(26),
    quantity: z.string().default('0.01').describe('base units held while the trend is up'),
  }),
  interval: '1m',
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
