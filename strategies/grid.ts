// A grid: buys at each level below the price and sells what a level bought one level higher, as long as the price goes to
// and fro between the bounds. When the price leaves through the stop, it waits and lays a new grid around the price.
//
//   npx tidewire backtest strategies/grid.ts --data data/sample-bars --without-lockbox
//
// Source: folklore; the program `grid` of docs/programs.md carries it out.
// Parameters: rangeBps (half of the grid), levels, quantity (of a level), stopBps (below the grid), everyMinutes.
// It fails in a trend: falling, it holds all levels at a loss until the stop; rising, it sold everything too early. A step
// between two levels must be worth more than both fees.
//
// Evidence (npm run strategies:evidence):
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
    stopBps: z.number().positive().max(4000).default(100).describe('below the lowest level everything is sold'),
    everyMinutes: z.number().positive().default(1).describe('how soon a new grid may follow'),
  }),
  setup({ params, market, account, clock }) {
    const { symbol, levels, quantity, rangeBps } = params;
    const instrument = market.instrument(symbol);
    const view = market.view(symbol);
    let working = 0;

    // Told at once of a grid that goes on after a restart.
    const grids = account.programs().pipe(
      tap(({ state }) => (working = state === 'working' ? 1 : 0)),
      ignoreElements(),
    );
    const next = clock.every(`${params.everyMinutes}m`).pipe(
      filter(() => working === 0 && !Number.isNaN(view.mid)),
      map(() => {
        const at = (bps: number): number => Number(instrument.roundPrice(view.mid * (1 + bps / 1e4), 'nearest'));
        const [low, high, stopLoss] = [at(-rangeBps), at(rangeBps), at(-rangeBps - params.stopBps)];
        return grid({ symbol, low, high, levels, quantity, side: 'long', spacing: 'geometric', stopLoss });
      }),
    );
    return merge(grids, next);
  },
});
