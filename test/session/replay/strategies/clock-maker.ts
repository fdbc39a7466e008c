// Quotes one tick beside the mid, each quarter of a second, by the view, by every change of the best prices or by samples of
// them: alone, beside a look into the depth, from a later time on, or until trades are asked for.
import { defineStrategy, quote, z } from 'tidewire';
import { defer, delay, filter, ignoreElements, map, merge, of, switchMap, take, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'clock-maker',
  params: z.object({
    symbol: z.string(),
    form: z.enum(['view', 'changes', 'sampled', 'deep', 'late', 'trades', 'twice']).default('view'),
  }),
  setup({ params: { symbol, form }, market, clock }) {
    const instrument = market.instrument(symbol);
    const quantity = '0.5';
    const around = (mid: number) =>
      quote(symbol, {
        bids: [{ price: instrument.roundPrice(mid - instrument.tick, 'down'), quantity }],
        asks: [{ price: instrument.roundPrice(mid + instrument.tick, 'up'), quantity }],
      });
    if (form === 'changes')
      return market.top(symbol).pipe(
        throttleTime(250),
        map(({ mid }) => around(mid)),
      );
    const samples = market.top(symbol, { every: '250ms' }).pipe(map(({ mid }) => around(mid)));
    const view = market.view(symbol);
    if (form === 'sampled') return samples;
    if (form === 'deep') return samples.pipe(filter(() => view.bids(3).length > 0 && view.last !== 0));
    if (form === 'late')
      return of(0).pipe(
        delay(7_000),
        switchMap(() => market.top(symbol, { every: '300ms' })),
        map(({ mid }) => around(mid)),
      );
    if (form === 'trades') {
      // Asked for within a sample.
      const trades = samples.pipe(
        take(20),
        filter((_, index) => index === 19),
        switchMap(() => defer(() => market.trades(symbol))),
        map(({ price }) => around(price)),
      );
      return merge(samples, trades);
    }
    if (form === 'twice') {
      const others = market.top(symbol, { every: '70ms' }).pipe(ignoreElements());
      return merge(samples, others, samples.pipe(take(3)));
    }
    return clock.every('250ms').pipe(
      map(() => view.mid),
      filter((mid) => !Number.isNaN(mid)),
      map(around),
    );
  },
});
