/**
 * The strategy of the bot under test: many small orders, cancels and quotes a second, silly ones among them. Falls silent
 * as soon as the file `quiet` exists, so that both sides can be compared at rest.
 */
import { existsSync } from 'node:fs';
import { cancel, cancelAll, defineStrategy, flatten, place, quote, target, z, type Action } from 'tidewire';
import { filter, interval, map } from 'rxjs';

export default defineStrategy({
  name: 'hasty',
  params: z.object({ symbol: z.string().default('BTCUSDT'), quiet: z.string(), everyMs: z.number().default(70) }),
  setup({ params, account, random }) {
    const { symbol } = params;
    return interval(params.everyMs).pipe(
      filter(() => !existsSync(params.quiet)),
      map(() =>
        whim(
          symbol,
          random,
          account.openOrders(symbol).map(({ ref }) => ref),
        ),
      ),
    );
  },
});

/** Bob's market stands at 59,990 and 60,010. */
function whim(symbol: string, random: () => number, refs: readonly string[]): Action {
  const quantity = `0.0${1 + Math.floor(random() * 5)}`;
  const low = 59_970 + Math.floor(random() * 25);
  const high = 60_005 + Math.floor(random() * 25);
  const chance = random();
  if (chance < 0.25) return place({ symbol, side: 'buy', type: 'limit', price: low, quantity });
  if (chance < 0.45) return place({ symbol, side: 'sell', type: 'limit', price: high, quantity });
  if (chance < 0.5) return place({ symbol, side: 'buy', type: 'limit', price: 60_010, quantity, timeInForce: 'ioc' });
  if (chance < 0.6) return place({ symbol, side: random() < 0.5 ? 'buy' : 'sell', type: 'market', quantity });
  if (chance < 0.75) {
    return quote(symbol, { bids: [{ price: low, quantity }], asks: random() < 0.8 ? [{ price: high, quantity }] : [] });
  }
  if (chance < 0.8) return target(symbol, { quantity: random() < 0.3 ? '0' : quantity });
  if (chance < 0.83) return flatten(symbol);
  if (chance < 0.88 || refs.length === 0) return cancelAll({ symbol });
  return cancel({ ref: refs[Math.floor(random() * refs.length)] ?? '' });
}
