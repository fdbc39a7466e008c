// The requoting strategy of the tick-to-order bench: for every new best quote each side's order is cancelled and another
// takes its place, far enough from the market that it rests.
import { defineStrategy, quote, z } from 'tidewire';
import { map } from 'rxjs';

const SYMBOL = 'BTCUSDT';
/** From the best price, ticks of 0.01. */
const AWAY = 1000;

export default defineStrategy({
  name: 'requote',
  symbols: () => [SYMBOL],
  params: z.object({ sides: z.coerce.number().int().min(1).max(2).default(2) }),
  setup({ market, params }) {
    return market.top(SYMBOL).pipe(
      map(({ bid, ask }, index) => {
        const away = (AWAY + (index % 2)) / 100;
        const leg = (price: number) => [{ price: price.toFixed(2), quantity: '0.001' }];
        return quote(SYMBOL, { bids: leg(bid - away), asks: params.sides === 2 ? leg(ask + away) : [] });
      }),
    );
  },
});
