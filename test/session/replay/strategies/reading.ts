/** Reads a file while it runs: a session only warns, a replay has no such file. */
import { existsSync } from 'node:fs';
import { defineStrategy, place, z } from 'tidewire';
import { map, take } from 'rxjs';

export default defineStrategy({
  name: 'reading',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup: ({ params: { symbol }, market }) =>
    market.top(symbol).pipe(
      take(3),
      map(({ bid }) => {
        const quantity = existsSync(import.meta.filename) ? '0.001' : '0.002';
        return place({ symbol, side: 'buy', type: 'limit', price: Math.round(bid * 0.99), quantity });
      }),
    ),
});
