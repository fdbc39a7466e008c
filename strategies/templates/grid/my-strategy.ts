// A grid below the first price: it buys at each level and sells one level higher, again and again.
//
//   npx tidewire paper strategies/my-strategy.ts --for 60s
//   npx tidewire sweep strategies/my-strategy.ts --space strategies/my-strategy.space.yaml --data PATH
//
// It earns while the price swings, and holds everything that it has bought when the price falls: hence the stop.
import { defineStrategy, grid, z } from 'tidewire';
import { filter, map, take } from 'rxjs';

export default defineStrategy({
  name: 'my-strategy',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    widthBps: z.number().positive().default(20).describe('from the first price to each end of the grid'),
    levels: z.number().int().min(2).max(50).default(9),
    quantity: z.string().default('0.001').describe('base units of each level'),
    stopBps: z.number().positive().default(100).describe('everything is sold this far below the first price'),
  }),

  // Called once. What the Observable emits is carried out.
  setup({ params, market, state }) {
    const { symbol, levels, quantity } = params;
    const instrument = market.instrument(symbol);
    // Kept through a restart: the grid goes on then, and no second one begins.
    const hasBegun = state(z.boolean(), false, 'hasBegun');

    return market.top(symbol).pipe(
      filter(() => !hasBegun.get()),
      take(1),
      map(({ mid }) => {
        hasBegun.set(true);
        const at = (bps: number): number => instrument.roundPrice(mid * (1 + bps / 1e4), 'nearest');
        return grid({
          symbol,
          low: at(-params.widthBps),
          high: at(params.widthBps),
          levels,
          quantity,
          side: 'long',
          stopLoss: at(-params.stopBps),
          ref: 'grid',
        });
      }),
    );
  },
});
