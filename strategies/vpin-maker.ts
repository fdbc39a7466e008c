// A maker that steps aside while the flow is poisonous: VPIN measures how one-sided the last buckets of volume were, and above
// a limit nothing is quoted.
//
//   npx tidewire backtest strategies/vpin-maker.ts --data data/sample --without-lockbox
//
// Source: D. Easley, M. López de Prado, M. O'Hara, Flow toxicity and liquidity in a high-frequency world, Review of Financial Studies
// 25 (2012); sides are those of the trades, so nothing is classified in bulk.
// Parameters: bucket (base units), buckets, limit, halfSpreadBps, quantity, maxPosition, everyMs.
// It fails where one-sided flow is no news, since it then misses the best fills; a bucket must be a small part of the day's volume.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: −1.64 USDT in 83 trades after 1.06 of fees. No
//   evidence of an edge: trading loses money after costs (83 trades, by their sizes no more than 42 equal ones, DSR
//   0.00).
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −0.51 USDT in 6 trades after 0.14 of fees.
//   No evidence of an edge: trading loses money after costs (6 trades, by their sizes no more than 3 equal ones, DSR
//   0.01).
// (end of evidence)
import { defineStrategy, quote, z } from 'tidewire';
import { ignoreElements, map, merge, tap } from 'rxjs';

export default defineStrategy({
  name: 'vpin-maker',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    bucket: z.number().positive().default(0.5).describe('base units of a bucket'),
    buckets: z.number().int().min(1).default(20).describe('buckets that are looked at'),
    limit: z.number().min(0).max(1).default(0.6).describe('nothing is quoted above this VPIN'),
    halfSpreadBps: z.number().positive().default(0.5).describe('distance of each quote from the mid'),
    quantity: z.string().default('0.001').describe('base units of each quote'),
    maxPosition: z.number().positive().default(0.01).describe('base units; there only the way back is quoted'),
    everyMs: z.number().positive().default(250).describe('quotes are looked at most this often'),
  }),
  setup({ params, market, account, indicators, chart }) {
    const { symbol, quantity, maxPosition } = params;
    const instrument = market.instrument(symbol);
    const vpin = indicators.vpin(params.bucket, params.buckets);

    const flow = market.trades(symbol).pipe(
      tap((trade) => vpin.next(trade)),
      ignoreElements(),
    );
    const quotes = market.top(symbol, { every: `${params.everyMs}ms` }).pipe(
      map(({ mid, bid, ask }) => {
        // Unknown yet: it waits.
        const toxicity = vpin.value ?? 1;
        chart.plot('vpin', toxicity, { pane: 'vpin' });
        if (toxicity > params.limit) return quote(symbol, { bids: [], asks: [] });
        const held = account.position(symbol).size;
        const half = mid * (params.halfSpreadBps / 1e4);
        const lean = half * Math.min(1, Math.max(-1, held / maxPosition));
        // Never through the other side: such a quote would be denied.
        const buy = instrument.roundPrice(Math.min(mid - lean - half, ask - instrument.tick), 'down');
        const sell = instrument.roundPrice(Math.max(mid - lean + half, bid + instrument.tick), 'up');
        return quote(
          symbol,
          {
            bids: held < maxPosition ? [{ price: buy, quantity }] : [],
            asks: held > -maxPosition ? [{ price: sell, quantity }] : [],
          },
          { tolerance: { priceTicks: Math.floor(half / 4 / instrument.tick) } },
        );
      }),
    );
    return merge(flow, quotes);
  },
});
