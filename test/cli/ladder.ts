/** A strategy that rests orders and never trades, for tests of the command line that kill a session. */

/** Strategy file: `count` resting buys, one every 300 ms, far below the market, each at a price of its own: nothing trades. */
export function ladder(count: number): string {
  return `import { defineStrategy, place, z } from 'tidewire';
import { map, take, switchMap } from 'rxjs';
import { timer } from 'rxjs';

export default defineStrategy({
  name: 'ladder',
  params: z.object({ symbol: z.string().default('BTCUSDT') }),
  setup({ params: { symbol }, market }) {
    const instrument = market.instrument(symbol);
    return market.top(symbol).pipe(
      take(1),
      switchMap(({ mid }) =>
        timer(0, 300).pipe(
          take(${count}),
          map((step) => place({
            symbol, side: 'buy', type: 'limit', quantity: '0.001', ref: \`step-\${step}\`,
            price: instrument.roundPrice(mid * (0.98 - step / 5000), 'down'),
          })),
        ),
      ),
    );
  },
});
`;
}
