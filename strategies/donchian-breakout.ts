// Breakout: buys when the close rises above the highest price of the last candles, with a stop and a target that are
// multiples of the range, as one bracket.
//
//   npx tidewire backtest strategies/donchian-breakout.ts --data data/sample-bars --without-lockbox
//
// Source: R. Donchian's four-week rule, as the "turtles" traded it (C. Faith, Way of the Turtle, 2007).
// Parameters: interval, period (of the channel), ranges (ATR), stopRanges and profitRanges (in ATR), quantity.
// It fails in a market that goes sideways: each breakout comes back and costs a stop and two fees.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −43.53 USDT in 33 trades after 12.55 of fees. No
//   evidence of an edge: trading loses money after costs (33 trades, by their sizes no more than 22 equal ones, DSR
//   0.01).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −57.36 USDT in 17 trades after 7.43 of
//   fees. No evidence of an edge: trading loses money after costs (17 trades, DSR 0.00).
// (end of evidence)
import { bracket, defineCandleStrategy, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'donchian-breakout',
  protect: true,
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    interval: z.string().default('15m'),
    period: z.number().int().min(2).default(48).describe('candles of the channel'),
    ranges: z.number().int().min(2).default(14).describe('candles of the average true range'),
    stopRanges: z.number().positive().default(2).describe('the stop lies so many ranges below the entry'),
    profitRanges: z.number().positive().default(6).describe('the target lies so many ranges above the entry'),
    quantity: z.string().default('0.01').describe('base units'),
  }),
  interval: ({ interval }) => interval,
  warmup: ({ period, ranges }) => Math.max(period, ranges * 3),
  setup: ({ params, indicators }) => ({
    channel: indicators.donchian(params.period),
    range: indicators.atr(params.ranges),
  }),
  onCandle(candle, { params, vars, account, chart }) {
    const { symbol, quantity } = params;
    // The channel of the candles before this one.
    const channel = vars.channel.value;
    vars.channel.next(candle);
    const range = vars.range.next(candle);
    if (channel === undefined || range === undefined) return;
    chart.plot('upper', channel.upper);
    const isBusy = !account.position(symbol).isFlat || account.openOrders(symbol).length > 0;
    if (isBusy || candle.close <= channel.upper) return;
    const bps = (range / candle.close) * 1e4;
    return bracket({
      entry: { symbol, side: 'buy', type: 'market', quantity },
      stopLoss: { bps: bps * params.stopRanges },
      takeProfit: { bps: bps * params.profitRanges },
    });
  },
});
