// A grid: buys at each level below the price and sells what a level bought one level higher, as long as the price goes to
// and fro between the bounds. When the price has left the grid on either side, it lays a new one around the price.
//
//   npx tidewire backtest strategies/grid.ts --data data/sample-bars --without-lockbox
//
// Source: folklore; the program `grid` of docs/programs.md carries it out.
// Parameters: rangeBps (half of the grid), levels, quantity (of a level), stopBps (beyond either end), everyMinutes.
// It fails in a trend: falling, it holds all levels at a loss until the stop; rising, it sold everything too early. A step
// between two levels must be worth more than both fees.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −108.47 USDT in 600 trades after 18.17 of fees.
//   No evidence of an edge: trading loses money after costs (600 trades, DSR 0.00).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −73.76 USDT in 920 trades after 29.36 of
//   fees. No evidence of an edge: trading loses money after costs (920 trades, DSR 0.00).
// (end of evidence)
import { defineStrategy, grid, z } from 'tidewire';
import { filter, ignoreElements, map, merge, tap } from 'rxjs';

export default defineStrategy({
  name: 'grid',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    rangeBps: z.number().positive().max(5000).default(200).describe('from the price to either end of the grid'),
    levels: z.number().int().min(2).max(100).default(9),
    quantity: z.string().default('0.002').describe('base units of each level'),
    stopBps: z.number().positive().max(4000).default(100).describe('so far beyond either end the grid is left'),
    everyMinutes: z.number().positive().default(1).describe('how soon a new grid may follow'),
  }),
  setup({ params, market, account, clock }) {
    const { symbol, levels, quantity, rangeBps } = params;
    const instrument = market.instrument(symbol);
    const view = market.view(symbol);
    let isWorking = false;

    // Told at once of a grid that goes on after a restart.
    const grids = account.programs().pipe(
      tap(({ state }) => (isWorking = state === 'working')),
      ignoreElements(),
    );
    const next = clock.every(`${params.everyMinutes}m`).pipe(
      filter(() => !isWorking && !Number.isNaN(view.mid)),
      map(() => {
        const at = (bps: number): number => Number(instrument.roundPrice(view.mid * (1 + bps / 1e4), 'nearest'));
        const [low, high] = [at(-rangeBps), at(rangeBps)];
        const [stopLoss, takeProfit] = [at(-rangeBps - params.stopBps), at(rangeBps + params.stopBps)];
        return grid({ symbol, low, high, levels, quantity, side: 'long', spacing: 'geometric', stopLoss, takeProfit });
      }),
    );
    return merge(grids, next);
  },
});
