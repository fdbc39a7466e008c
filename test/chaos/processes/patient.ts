/**
 * The strategy of the bot under test when order programs are asked for: brackets, trailing stops, TWAPs and grids, each with
 * an end. A ref says what `program-judge.ts` needs to know: kind, side, thousandths of BTC, stop price, a number.
 * Falls silent as soon as the file `quiet` exists; what works by then comes to its end.
 */
import { existsSync } from 'node:fs';
import { bracket, defineStrategy, grid, trailingStop, twap, z, type Action } from 'tidewire';
import { filter, map, mergeMap, take } from 'rxjs';

export default defineStrategy({
  name: 'patient',
  params: z.object({ symbol: z.string().default('BTCUSDT'), quiet: z.string(), everyMs: z.number().default(250) }),
  setup({ params, market, clock, random }) {
    const { symbol } = params;
    return clock.every(`${params.everyMs}ms`).pipe(
      filter(() => !existsSync(params.quiet)),
      mergeMap(() => market.top(symbol).pipe(take(1))),
      map(({ mid }) => whim(symbol, Math.round(mid), random)),
    );
  },
});

function whim(symbol: string, mid: number, random: () => number): Action {
  const size = 1 + Math.floor(random() * 50);
  const quantity = (size / 1000).toFixed(3);
  const isBuy = random() < 0.5;
  const side = isBuy ? 'buy' : 'sell';
  const away = (by: number): number => mid + (isBuy ? by : -by);
  const expire = `${10 + Math.floor(random() * 15)}s`;
  const stop = away(-(30 + Math.floor(random() * 60)));
  const ref = (kind: string): string => `${kind}_${side}_${size}_${stop}_${Math.floor(random() * 1e9)}`;
  const chance = random();
  if (chance < 0.5)
    return bracket({
      entry:
        random() < 0.6
          ? { symbol, side, type: 'market', quantity }
          : { symbol, side, type: 'limit', price: away(-12), quantity },
      takeProfit: [
        { price: away(40 + Math.floor(random() * 40)), fraction: 0.5 },
        { price: away(90), fraction: 0.5 },
      ],
      stopLoss: stop,
      timeLimit: '8s',
      ref: ref('bracket'),
      expire,
    });
  if (chance < 0.7)
    return trailingStop({ symbol, side, quantity, reduceOnly: false, distance: 25, ref: ref('trail'), expire });
  if (chance < 0.9) return twap({ symbol, side, quantity, over: '6s', slices: 3, ref: ref('twap'), expire });
  return grid({
    symbol,
    low: mid - 60,
    high: mid + 60,
    levels: 4,
    quantity: '0.002',
    side: 'neutral',
    ref: ref('grid'),
    expire,
  });
}
