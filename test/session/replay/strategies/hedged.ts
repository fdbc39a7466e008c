/** Holds both sides of a perpetual in turn, as only an account in hedge mode can. */
import { defineStrategy, target, z } from 'tidewire';
import { map, scan, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'hedged',
  params: z.object({ symbol: z.string().default('BTCUSDTPERP') }),
  setup: ({ params: { symbol }, market }) =>
    market.top(symbol).pipe(
      throttleTime(900),
      scan((count) => count + 1, 0),
      map((count) => [
        target(symbol, { quantity: count % 2 === 0 ? '0.01' : '0', positionSide: 'long' }),
        target(symbol, { quantity: count % 3 === 0 ? '0' : '-0.01', positionSide: 'short' }),
      ]),
    ),
});
