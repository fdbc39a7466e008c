// Order-book imbalance: when far more is bid than asked near the mid, the next move is more often up, and the other
// way round. Takes a small position with a strong imbalance and leaves it when the book is even again.
//
//   npx tidewire backtest strategies/imbalance.ts --data data/sample --without-lockbox --param enter=0.8
//
// Source: M. Gould and J. Bonart, Queue imbalance as a one-tick-ahead price predictor, Market Microstructure and Liquidity 2 (2016).
// Parameters: levels, enter, leave (imbalances), quantity, everyMs.
// It fails by its costs: it pays taker fees at each turn, and on most markets predicts better than it earns. A signal to build on.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: −0.13 USDT in 3 trades after 0.12 of fees. No
//   evidence of an edge: trading loses money after costs (3 trades, by their sizes no more than 2 equal ones, DSR
//   0.00).
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −1.82 USDT in 74 trades after 1.88 of
//   fees. No evidence of an edge: trading loses money after costs (74 trades, by their sizes no more than 30 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineStrategy, target, z } from 'tidewire';
import { distinctUntilChanged, filter, map, scan, throttleTime } from 'rxjs';

type Stance = 'long' | 'flat';

export default defineStrategy({
  name: 'imbalance',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    levels: z.number().int().positive().default(5).describe('best levels of each side that are weighed'),
    enter: z.number().min(0).max(1).default(0.6).describe('go long above this imbalance (-1 all asks … 1 all bids)'),
    leave: z.number().min(-1).max(1).default(0).describe('leave below this imbalance'),
    quantity: z.string().default('0.001').describe('base units held while long'),
    everyMs: z.number().positive().default(500).describe('the book is looked at most this often'),
  }),
  setup({ params, market, account }) {
    const { symbol, levels } = params;
    // After a restart it goes on with what it holds.
    const { size, isFlat } = account.position(symbol);
    const start: Stance = size > 0 && !isFlat ? 'long' : 'flat';
    const depth = (side: readonly { readonly quantity: number }[]) =>
      side.reduce((sum, level) => sum + level.quantity, 0);

    return market.book(symbol).pipe(
      throttleTime(params.everyMs),
      map((book) => ({ bids: depth(book.bids(levels)), asks: depth(book.asks(levels)) })),
      filter(({ bids, asks }) => bids > 0 && asks > 0),
      map(({ bids, asks }) => (bids - asks) / (bids + asks)),
      // Two thresholds, so that an imbalance around one of them does not trade back and forth.
      scan((stance: Stance, value): Stance => {
        if (value > params.enter) return 'long';
        return value < params.leave ? 'flat' : stance;
      }, start),
      distinctUntilChanged(),
      map((stance) => target(symbol, { quantity: stance === 'long' ? params.quantity : '0' })),
    );
  },
});
