/** Order programs, and decisions by what is told of them: what they fill, wait for and fire next. */
import { bracket, cancel, chase, defineStrategy, note, target, trailingStop, twap, z } from 'tidewire';
import { filter, map, merge } from 'rxjs';

export default defineStrategy({
  name: 'programmed',
  params: z.object({ symbol: z.string().default('BTCUSDT'), quantity: z.string().default('0.01') }),
  setup({ params: { symbol, quantity }, market, account, random, clock }) {
    const top = market.view(symbol);
    const whims = clock.every('250ms').pipe(
      filter(() => !Number.isNaN(top.mid)),
      map(() => {
        const side = random() < 0.5 ? 'buy' : 'sell';
        const chance = random();
        if (chance < 0.4)
          return bracket({
            entry: { symbol, side, type: 'market', quantity },
            takeProfit: { bps: 1 },
            stopLoss: { bps: 1 },
            timeLimit: '1s',
          });
        if (chance < 0.6) return trailingStop({ symbol, side, quantity, reduceOnly: false, bps: 0.5, expire: '2s' });
        if (chance < 0.8) return twap({ symbol, side, quantity, over: '1s', slices: 2 });
        if (chance < 0.9) return chase({ symbol, side, quantity, crossAfter: '500ms' });
        return target(symbol, { quantity, via: { twap: { over: '1s' } } });
      }),
    );
    const told = account
      .programs()
      .pipe(
        map(({ ref, state, filled, waitsFor, next, children, reason }) =>
          random() < 0.05 && state === 'working'
            ? cancel({ ref })
            : note(`${ref} ${state}`, { filled, waitsFor, reason, orders: children.length, ...next }),
        ),
      );
    return merge(whims, told);
  },
});
