// Orders by the clock, for the bench of orders: none, a limit that is cancelled at the next look, or a taker's fill.
// All three read the same; what an order costs is the difference to `none`.
import { cancel, defineStrategy, place, z, type Action } from 'tidewire';
import { map, withLatestFrom } from 'rxjs';

/** As far below the mid as the collar lets it be without ever filling. */
const AWAY = 0.99;
/** A taker's limit this far beyond the touch. */
const BEYOND = 1.001;

export default defineStrategy({
  name: 'dense',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    quantity: z.string().default('0.001'),
    everyMs: z.number().positive().default(100),
    act: z.enum(['none', 'cancel', 'fill']),
  }),
  setup({ params, market, clock }) {
    const { symbol, quantity, everyMs, act } = params;
    const instrument = market.instrument(symbol);
    let last = '';
    let count = 0;
    return clock.every(`${everyMs}ms`).pipe(
      withLatestFrom(market.top(symbol)),
      map(([, { bid, ask, mid }]): Action[] => {
        if (act === 'none') return [];
        count += 1;
        if (act === 'fill') {
          const side = count % 2 === 0 ? 'sell' : 'buy';
          const limit = side === 'buy' ? ask * BEYOND : bid / BEYOND;
          const price = instrument.roundPrice(limit, 'nearest');
          return [place({ symbol, side, type: 'limit', timeInForce: 'ioc', price, quantity })];
        }
        const ref = `dense-${count}`;
        const price = instrument.roundPrice(mid * AWAY, 'down');
        const next = place({ symbol, side: 'buy', type: 'limit', price, quantity, ref });
        const actions = last === '' ? [next] : [cancel({ ref: last }), next];
        last = ref;
        return actions;
      }),
    );
  },
});
