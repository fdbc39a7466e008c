// The strategy of the tick-to-order bench: one order for every new best quote, that never rests. Quantities differ, as
// risk refuses an order that equals one whose answer is still under way.
import { defineStrategy, place } from 'tidewire';
import { map } from 'rxjs';

const SYMBOL = 'BTCUSDT';

export default defineStrategy({
  name: 'tick-to-order',
  symbols: () => [SYMBOL],
  setup({ market }) {
    return market.top(SYMBOL).pipe(
      map(({ bid }, index) => {
        const quantity = `0.00${1 + (index % 9)}`;
        return place({ symbol: SYMBOL, side: 'buy', type: 'limit', timeInForce: 'ioc', price: bid, quantity });
      }),
    );
  },
});
