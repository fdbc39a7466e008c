// Keeps fixed weights: sells what has risen above its share and buys what has fallen below, once it is off by the band.
//
//   npx tidewire backtest strategies/rebalancer.ts --data data/sample-bars --without-lockbox
//   npx tidewire backtest strategies/rebalancer.ts --data data/sample --param 'weights={"BTC":0.3,"ETH":0.3}' --param band=0.005
//
// Source: A. F. Perold and W. F. Sharpe, Dynamic strategies for asset allocation, Financial Analysts Journal 44 (1988); the
// program `rebalance` of docs/programs.md carries it out. It works on the whole balance of the account, not on a part of it.
// Parameters: weights (currency to share; the rest is the quote), band, everyMinutes.
// It fails in a trend: it sells winners and buys losers all the way. What it earns is volatility, less fees.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −274.63 USDT in 4 trades after 8.24 of fees. No
//   evidence of an edge: trading loses money after costs (4 trades, by their sizes no more than 2 equal ones, DSR
//   0.04).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −479.16 USDT in 12 trades after 16.51 of
//   fees. No evidence of an edge: trading loses money after costs (12 trades, by their sizes no more than 8 equal
//   ones, DSR 0.06).
// (end of evidence)
import { defineStrategy, rebalance, z } from 'tidewire';
import { filter, map } from 'rxjs';

export default defineStrategy({
  name: 'rebalancer',
  params: z.object({
    quote: z.string().default('USDT'),
    weights: z.record(z.string(), z.number().min(0).max(1)).default({ BTC: 0.5 }).describe('shares of the account'),
    band: z.number().min(0).max(0.5).default(0.01).describe('a share that is off by less is left'),
    everyMinutes: z.number().positive().default(15).describe('shares are looked at this often'),
  }),
  symbols: ({ weights, quote }) => Object.keys(weights).map((currency) => `${currency}${quote}`),
  setup({ params, market, account, clock }) {
    const { weights, quote, band } = params;
    const views = Object.keys(weights).map((currency) => ({ currency, view: market.view(`${currency}${quote}`) }));
    const held = (currency: string): number => Number(account.balance(currency).total);

    return clock.every(`${params.everyMinutes}m`).pipe(
      filter(() => views.every(({ view }) => !Number.isNaN(view.mid))),
      filter(() => {
        const worth = views.map(({ currency, view }) => ({ currency, value: held(currency) * view.mid }));
        const equity = worth.reduce((sum, { value }) => sum + value, held(quote));
        return worth.some(({ currency, value }) => Math.abs(value / equity - (weights[currency] ?? 0)) > band);
      }),
      // The program decides by the same rule, at the price of its start.
      map(() => rebalance({ weights, band })),
    );
  },
});
