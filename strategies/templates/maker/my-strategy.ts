// Quotes both sides of the mid. What it holds leans both prices, so that the next fill brings it back.
//
//   npx tidewire paper strategies/my-strategy.ts --for 30s
//   npx tidewire sweep strategies/my-strategy.ts --space strategies/my-strategy.space.yaml --data PATH
import { defineStrategy, quote, z } from 'tidewire';
import { map } from 'rxjs';

export default defineStrategy({
  name: 'my-strategy',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    halfSpreadBps: z.number().positive().default(0.5).describe('distance of each quote from the centre'),
    skew: z.number().min(0).default(0.5).describe('half spreads that the centre moves at the largest position'),
    quantity: z.string().default('0.001').describe('base units of each quote'),
    // What rests may fill before the next quote: the limit that holds is `maxPosition` of `risk`, or of the strategy's `limits`.
    maxPosition: z.number().positive().default(0.01).describe('base units; from here only the way back is quoted'),
  }),

  // Called once. What the Observable emits is carried out.
  setup({ params, market, account }) {
    const { symbol, quantity, maxPosition } = params;
    const instrument = market.instrument(symbol);

    return market.top(symbol, { every: '250ms' }).pipe(
      map(({ mid }) => {
        const held = account.position(symbol).size;
        const half = mid * (params.halfSpreadBps / 1e4);
        const centre = mid - half * params.skew * (held / maxPosition);
        const bid = { price: instrument.roundPrice(centre - half, 'down'), quantity };
        const ask = { price: instrument.roundPrice(centre + half, 'up'), quantity };
        return quote(symbol, { bids: held < maxPosition ? [bid] : [], asks: held > -maxPosition ? [ask] : [] });
      }),
    );
  },
});
