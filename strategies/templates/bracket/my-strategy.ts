// Buys a new high with a stop, a take-profit and a time limit on it. The exits go on after a crash.
//
//   npx tidewire backtest strategies/my-strategy.ts --data PATH --param stopBps=50
//   npx tidewire sweep strategies/my-strategy.ts --space strategies/my-strategy.space.yaml --data PATH
import { bracket, defineCandleStrategy, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'my-strategy',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    lookback: z.number().int().positive().default(60).describe('candles whose highest close is to be passed'),
    stopBps: z.number().positive().default(30).describe('distance of the stop from the entry'),
    takeProfitBps: z.number().positive().default(60).describe('distance of the take-profit from the entry'),
    timeLimit: z.string().default('4h').describe('then it leaves at market'),
    quantity: z.string().default('0.01').describe('base units of each entry'),
  }),
  interval: '1m',

  // An alarm, should a position ever stand without an exit.
  protect: true,

  // Candles to see before the first decision, the same in every mode.
  warmup: ({ lookback }) => lookback,

  // Made once for each symbol, handed to onCandle as vars.
  setup: ({ params, indicators }) => ({ highest: indicators.highest(params.lookback) }),

  // Called with each closed candle. Answer an action, several, or nothing.
  onCandle(candle, { params, vars, account }) {
    const { symbol, quantity, stopBps, takeProfitBps, timeLimit } = params;
    const highest = vars.highest.value;
    vars.highest.next(candle.close);
    if (highest === undefined || candle.close <= highest) return;
    // One at a time.
    if (!account.position(symbol).isFlat || account.openOrders(symbol).length > 0) return;
    return bracket({
      entry: { symbol, side: 'buy', type: 'market', quantity },
      takeProfit: { bps: takeProfitBps },
      stopLoss: { bps: stopBps },
      timeLimit,
    });
  },
});
