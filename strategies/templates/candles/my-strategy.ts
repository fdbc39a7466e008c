// Holds a position while the fast average is above the slow one. Needs no RxJS.
//
//   npx tidewire backtest strategies/my-strategy.ts --data PATH --param fast=20 --param slow=50
//   npx tidewire sweep strategies/my-strategy.ts --space strategies/my-strategy.space.yaml --data PATH
import { defineCandleStrategy, target, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'my-strategy',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    fast: z.number().int().positive().default(12),
    slow: z.number().int().positive().default(26),
    quantity: z.string().default('0.01').describe('base units that are held while the trend is up'),
  }),
  interval: '1m',

  // Candles to see before the first decision, the same in every mode.
  warmup: ({ slow }) => slow * 3,

  // Made once for each symbol, handed to onCandle as vars.
  setup: ({ params, indicators }) => ({ fast: indicators.ema(params.fast), slow: indicators.ema(params.slow) }),

  // Called with each closed candle. Answer an action, several, or nothing.
  onCandle(candle, { params, vars, chart }) {
    const fast = vars.fast.next(candle.close);
    const slow = vars.slow.next(candle.close);
    if (fast === undefined || slow === undefined) return;
    chart.plot('fast', fast);
    chart.plot('slow', slow);
    // The position that should be held: what is held already sends nothing.
    return target(params.symbol, { quantity: fast > slow ? params.quantity : '0' });
  },
});
