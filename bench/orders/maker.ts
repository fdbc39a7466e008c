// A market maker by the clock, for the bench of orders; with `act` false it computes the same and sends nothing.
import { defineStrategy, quote, z } from 'tidewire';
import { filter, map, withLatestFrom } from 'rxjs';

export default defineStrategy({
  name: 'bench-maker',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    halfSpreadBps: z.number().positive().default(0.5),
    quantity: z.string().default('0.001'),
    maxPosition: z.number().positive().default(0.01),
    everyMs: z.number().positive().default(250),
    act: z.boolean(),
  }),
  setup({ params, market, account, clock }) {
    const { symbol, quantity, maxPosition, halfSpreadBps, everyMs, act } = params;
    const instrument = market.instrument(symbol);
    return clock.every(`${everyMs}ms`).pipe(
      withLatestFrom(market.top(symbol)),
      map(([, { mid }]) => {
        const held = account.position(symbol).size;
        const half = mid * (halfSpreadBps / 1e4);
        const fair = mid - Math.min(1, Math.max(-1, held / maxPosition)) * half;
        const bid = { price: instrument.roundPrice(fair - half, 'down'), quantity };
        const ask = { price: instrument.roundPrice(fair + half, 'up'), quantity };
        const tolerance = { priceTicks: Math.floor(half / 4 / instrument.tick) };
        const bids = held < maxPosition ? [bid] : [];
        const asks = held > -maxPosition ? [ask] : [];
        return quote(symbol, { bids, asks }, { tolerance });
      }),
      filter(() => act),
    );
  },
});
