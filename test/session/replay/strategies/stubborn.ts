/** Answers each denial of its order with another one: it never comes to rest by itself. */
import { defineStrategy, place, z } from 'tidewire';
import { filter, map, merge, take } from 'rxjs';

export default defineStrategy({
  name: 'stubborn',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ params: { symbol }, market, account }) {
    const order = place({ symbol, side: 'buy', type: 'limit', price: '50000.001', quantity: '0.001' });
    return merge(
      account.orders().pipe(
        filter(({ state }) => state === 'denied'),
        map(() => order),
      ),
      market.top(symbol).pipe(
        take(1),
        map(() => order),
      ),
    );
  },
});
