// Pairs: two coins that move together. The ratio in which they do is followed by a Kalman filter; when one has run away from
// the other, it is sold and the other bought, until they have met again.
//
//   npx tidewire backtest strategies/pairs.ts --data data/sample --without-lockbox
//
// Source: E. Chan, Algorithmic Trading (2013), chapter 3. Moves are in bps since the start; the spread is y − ratio · x.
// Parameters: first (y), second (x), delta and noise (of the filter), window (of the z-score), enter, leave, notional, everySeconds.
// It fails when the two part for a reason, and by the fees of four trades a round. Short legs need coins that the account holds, or perpetuals.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: −0.91 USDT in 2 trades after 0.92 of fees. No
//   evidence of an edge: trading loses money after costs (2 trades, DSR 0.00).
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −0.91 USDT in 4 trades after 0.98 of fees.
//   No evidence of an edge: trading loses money after costs (4 trades, by their sizes no more than 2 equal ones, DSR
//   0.00).
// (end of evidence)
import { defineStrategy, target, z } from 'tidewire';
import { filter, map } from 'rxjs';

export default defineStrategy({
  name: 'pairs',
  params: z
    .object({
      first: z.string().default('ETHUSDT'),
      second: z.string().default('BTCUSDT'),
      delta: z.number().positive().max(0.1).default(0.001).describe('how fast the ratio may change'),
      noise: z.number().positive().default(4).describe('variance of the spread that is no news, bps²'),
      window: z.number().int().min(5).default(60).describe('looks that say how far is far'),
      enter: z.number().positive().default(2.5).describe('standard deviations at which it goes in'),
      leave: z.number().min(0).default(0.5).describe('standard deviations at which it goes out'),
      notional: z.number().positive().default(500).describe('quote units of the first leg'),
      everySeconds: z.number().positive().default(1).describe('prices are looked at this often'),
    })
    .refine(({ enter, leave }) => leave < enter, { path: ['leave'], message: 'must be under enter' }),
  symbols: ({ first, second }) => [first, second],
  setup({ params, market, account, clock, indicators, chart }) {
    const { first, second, enter, leave, notional } = params;
    const [y, x] = [market.view(first), market.view(second)];
    const hedge = indicators.kalmanHedge(params.delta, params.noise);
    const score = indicators.zScore(params.window);
    let start: { readonly y: number; readonly x: number } | undefined;

    return clock.every(`${params.everySeconds}s`).pipe(
      filter(() => !Number.isNaN(y.mid) && !Number.isNaN(x.mid)),
      map(() => {
        start ??= { y: y.mid, x: x.mid };
        const moves = { y: Math.log(y.mid / start.y) * 1e4, x: Math.log(x.mid / start.x) * 1e4 };
        const ratio = hedge.next(moves)?.slope ?? 0;
        const value = score.next(moves.y - ratio * moves.x);
        if (value === undefined) return [];
        chart.plot('z', value, { pane: 'z' });
        chart.plot('ratio', ratio, { pane: 'ratio' });
        const held = account.position(first);
        if (held.isFlat) {
          if (Math.abs(value) < enter || ratio <= 0) return [];
          const side = -Math.sign(value);
          return [
            target(first, { quantity: market.instrument(first).roundQuantity((side * notional) / y.mid, 'nearest') }),
            target(second, {
              quantity: market.instrument(second).roundQuantity((-side * ratio * notional) / x.mid, 'nearest'),
            }),
          ];
        }
        // Back where it was, or beyond.
        const hasMet = held.size > 0 ? value > -leave : value < leave;
        return hasMet ? [target(first, { quantity: '0' }), target(second, { quantity: '0' })] : [];
      }),
    );
  },
});
