// Follows the supertrend line: buys when the price crosses it upwards, with a trailing stop, and leaves at the latest when it
// crosses back.
//
//   npx tidewire backtest strategies/supertrend.ts --data data/sample-bars --without-lockbox
//
// Source: O. Seban's SuperTrend; the stop is the program `bracket` with `trailing` of docs/programs.md.
// Parameters: interval, period and width (of the line, in average true ranges), trailBps, quantity.
// It fails in a market that goes sideways: it buys high and is stopped low, again and again.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −54.38 USDT in 51 trades after 19.52 of fees. No
//   evidence of an edge: trading loses money after costs (51 trades, by their sizes no more than 34 equal ones, DSR
//   0.01).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −54.82 USDT in 27 trades after 11.34 of
//   fees. No evidence of an edge: trading loses money after costs (27 trades, DSR 0.00).
// (end of evidence)
import { bracket, defineCandleStrategy, flatten, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'supertrend',
  protect: true,
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    interval: z.string().default('15m'),
    period: z.number().int().min(2).default(10).describe('candles of the average true range'),
    width: z.number().positive().default(3).describe('the line lies so many ranges from the price'),
    trailBps: z.number().positive().default(200).describe('the stop follows the best price at this distance'),
    quantity: z.string().default('0.01').describe('base units'),
  }),
  interval: ({ interval }) => interval,
  warmup: ({ period }) => period * 5,
  setup: ({ params, indicators }) => ({
    supertrend: indicators.supertrend(params.period, params.width),
    before: 'down' as 'up' | 'down',
  }),
  onCandle(candle, { params, vars, account, chart }) {
    const { symbol, quantity, trailBps } = params;
    const value = vars.supertrend.next(candle);
    if (value === undefined) return;
    chart.plot('supertrend', value.line);
    const { before } = vars;
    vars.before = value.trend;
    if (value.trend === before) return;
    if (value.trend === 'down') return flatten(symbol);
    const isBusy = !account.position(symbol).isFlat || account.openOrders(symbol).length > 0;
    if (isBusy) return;
    return bracket({ entry: { symbol, side: 'buy', type: 'market', quantity }, trailing: { bps: trailBps } });
  },
});
