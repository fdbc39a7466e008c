// Mean reversion: buys when the close falls below the lower Bollinger band and sells at the average.
//
//   npx tidewire backtest strategies/bollinger-reversion.ts --data data/sample-bars --without-lockbox
//
// Source: J. Bollinger, Bollinger on Bollinger Bands (2001).
// Parameters: interval, period, width (of the bands, in standard deviations), stopBps, quantity.
// It fails in a trend, where each close below the band is followed by another: the stop takes it out.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −67.91 USDT in 119 trades after 33.97 of fees. No
//   evidence of an edge: trading loses money after costs (119 trades, by their sizes no more than 60 equal ones, DSR
//   0.00).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −60.92 USDT in 180 trades after 23.27 of
//   fees. No evidence of an edge: trading loses money after costs (180 trades, by their sizes no more than 56 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineCandleStrategy, target, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'bollinger-reversion',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    interval: z.string().default('15m'),
    period: z.number().int().min(2).default(20),
    width: z.number().positive().default(2).describe('bands lie so many standard deviations from the average'),
    stopBps: z.number().positive().default(150).describe('leaves this far below the entry'),
    quantity: z.string().default('0.01').describe('base units'),
  }),
  interval: ({ interval }) => interval,
  warmup: ({ period }) => period,
  setup: ({ params, indicators }) => ({ bands: indicators.bollinger(params.period, params.width) }),
  onCandle({ close }, { params, vars, account, chart }) {
    const { symbol, quantity, stopBps } = params;
    const bands = vars.bands.next(close);
    if (bands === undefined) return;
    chart.plot('lower', bands.lower);
    chart.plot('middle', bands.middle);
    const { isFlat, entryPrice } = account.position(symbol);
    if (isFlat) return close < bands.lower ? target(symbol, { quantity }) : undefined;
    const isStopped = close < Number(entryPrice) * (1 - stopBps / 1e4);
    return close >= bands.middle || isStopped ? target(symbol, { quantity: '0' }) : undefined;
  },
});
