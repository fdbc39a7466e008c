// Order-flow imbalance: what is added to and taken from the best quotes within a moment says where the mid goes in the next.
// Buys when it is far above its usual size and leaves after a time.
//
//   npx tidewire backtest strategies/order-flow.ts --data data/sample --without-lockbox
//
// Source: R. Cont, A. Kukanov, S. Stoikov, The price impact of order book events, Journal of Financial Econometrics 12 (2014).
// Parameters: changes (of the best quotes that are summed), usual (sums that are usual), enter (standard deviations), holdSeconds, quantity.
// It fails by its costs: the paper explains moves of about a spread, and two taker fees are many spreads. A signal to build on,
// for a maker that leans by it first of all.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: −0.22 USDT in 7 trades after 0.24 of fees. No
//   evidence of an edge: trading loses money after costs (7 trades, by their sizes no more than 4 equal ones, DSR
//   0.00).
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −0.98 USDT in 33 trades after 0.89 of
//   fees. No evidence of an edge: trading loses money after costs (33 trades, by their sizes no more than 14 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineStrategy, target, z } from 'tidewire';
import { exhaustMap, filter, map, merge, of, timer } from 'rxjs';

export default defineStrategy({
  name: 'order-flow',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    changes: z.number().int().positive().default(50).describe('changes of the best quotes that are summed'),
    usual: z.number().int().min(10).default(500).describe('sums that say what is usual'),
    enter: z.number().positive().default(2).describe('buys at so many standard deviations'),
    holdSeconds: z.number().positive().default(10),
    quantity: z.string().default('0.001').describe('base units'),
  }),
  setup({ params, market, indicators }) {
    const { symbol, quantity } = params;
    const flow = indicators.orderFlow(params.changes);
    const score = indicators.zScore(params.usual);

    return market.top(symbol).pipe(
      map((top) => flow.next(top)),
      filter((sum) => sum !== undefined),
      map((sum) => score.next(sum) ?? 0),
      filter((value) => value > params.enter),
      // One position at a time: what comes while it is held is left.
      exhaustMap(() =>
        merge(
          of(target(symbol, { quantity })),
          timer(params.holdSeconds * 1000).pipe(map(() => target(symbol, { quantity: '0' }))),
        ),
      ),
    );
  },
});
