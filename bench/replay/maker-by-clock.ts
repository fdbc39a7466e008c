// The maker of the benches in three forms: by clock and view, by samples, by every change of the best prices.
import { defineStrategy, quote, z } from 'tidewire';
import { filter, map, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'maker-by-clock',
  params: z.object({ symbol: z.string().default('BTCUSDT'), form: z.enum(['view', 'sampled', 'throttled']) }),
  setup({ params: { symbol, form }, market, clock }) {
    const instrument = market.instrument(symbol);
    const around = (mid: number) =>
      quote(symbol, {
        bids: [{ price: instrument.roundPrice(mid * (1 - 0.5e-4), 'down'), quantity: '0.001' }],
        asks: [{ price: instrument.roundPrice(mid * (1 + 0.5e-4), 'up'), quantity: '0.001' }],
      });
    if (form === 'sampled') return market.top(symbol, { every: '250ms' }).pipe(map(({ mid }) => around(mid)));
    if (form === 'throttled') {
      const edges = { leading: true, trailing: true };
      return market.top(symbol).pipe(
        throttleTime(250, undefined, edges),
        map(({ mid }) => around(mid)),
      );
    }
    const view = market.view(symbol);
    return clock.every('250ms').pipe(
      map(() => view.mid),
      filter((mid) => !Number.isNaN(mid)),
      map(around),
    );
  },
});
