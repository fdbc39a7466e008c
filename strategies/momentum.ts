// Time-series momentum, sized by volatility: holds what has risen, the less of it the more its price moves, so that each
// day carries about the same risk.
//
//   npx tidewire backtest strategies/momentum.ts --data data/sample-bars --without-lockbox
//
// Source: T. Moskowitz, Y. H. Ooi, L. H. Pedersen, Time series momentum, Journal of Financial Economics 104 (2012).
// Parameters: interval, lookback, capital, volatility (aimed at, over the lookback), drift, short.
// It fails when trends turn: it is late by a part of the lookback, each time. Short needs a perpetual, or spot that the account holds.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −792.89 USDT in 61 trades after 137.88 of fees.
//   No evidence of an edge: trading loses money after costs (61 trades, by their sizes no more than 29 equal ones,
//   DSR 0.00).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −844.38 USDT in 158 trades after 158.02
//   of fees. No evidence of an edge: trading loses money after costs (158 trades, by their sizes no more than 35
//   equal ones, DSR 0.00).
// (end of evidence)
import { defineCandleStrategy, size, target, z } from 'tidewire';

export default defineCandleStrategy({
  name: 'momentum',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    interval: z.string().default('1h'),
    lookback: z.number().int().min(2).default(24).describe('candles that return and volatility are measured over'),
    capital: z.number().positive().default(10_000).describe('quote units that are invested'),
    volatility: z.number().positive().default(0.01).describe('aimed at over the lookback; 0.01 is one per cent'),
    drift: z.number().min(0).default(0.25).describe('a position is left while it is off by a smaller part'),
    short: z.boolean().default(false).describe('sells short what has fallen'),
  }),
  interval: ({ interval }) => interval,
  warmup: ({ lookback }) => lookback + 1,
  setup: ({ params, indicators, market }) => ({
    change: indicators.roc(params.lookback),
    moves: indicators.realisedVolatility(params.lookback),
    instrument: market.instrument(params.symbol),
  }),
  onCandle({ close }, { params, vars, account, chart }) {
    const { symbol, capital, drift } = params;
    const change = vars.change.next(close);
    const volatility = vars.moves.next(close);
    if (change === undefined || volatility === undefined || volatility === 0) return;
    chart.plot('return', change, { pane: 'return' });
    const { instrument } = vars;
    // Never more than the capital, however calm it is.
    const aimed = Math.min(params.volatility, volatility);
    const amount = Number(size.volatility({ equity: capital, target: aimed, volatility, price: close, instrument }));
    const wanted = change > 0 ? amount : params.short ? -amount : 0;
    const held = account.position(symbol).size;
    const isSameSide = Math.sign(wanted) === Math.sign(held);
    if (isSameSide && Math.abs(wanted - held) <= drift * Math.abs(wanted)) return;
    return target(symbol, { quantity: wanted });
  },
});
