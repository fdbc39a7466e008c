// The maker of the benches in three forms: by clock and view, by samples, by every change of the best prices. It quotes as
// strategies/spread-maker.ts and bench/peers/hftbacktest-maker.py do: 0.5 bps around the mid, leaning with what it holds.
import { defineStrategy, quote, z } from 'tidewire';
import { filter, map, throttleTime } from 'rxjs';

const HALF_SPREAD = 0.5e-4;
/** Base units. */
const POSITION_MAX = 0.01;

export default defineStrategy({
  name: 'maker-by-clock',
  params: z.object({ symbol: z.string().default('BTCUSDT'), form: z.enum(['view', 'sampled', 'throttled']) }),
  setup({ params: { symbol, form }, market, account, clock }) {
    const instrument = market.instrument(symbol);
    const quantity = '0.001';
    const around = (mid: number) => {
      const held = account.position(symbol).size;
      const half = mid * HALF_SPREAD;
      const fair = mid - Math.min(1, Math.max(-1, held / POSITION_MAX)) * half;
      const bid = { price: instrument.roundPrice(fair - half, 'down'), quantity };
      const ask = { price: instrument.roundPrice(fair + half, 'up'), quantity };
      return quote(
        symbol,
        { bids: held < POSITION_MAX ? [bid] : [], asks: held > -POSITION_MAX ? [ask] : [] },
        { tolerance: { priceTicks: Math.floor(half / 4 / instrument.tick) } },
      );
    };
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
