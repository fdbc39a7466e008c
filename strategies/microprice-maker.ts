// Quotes around the microprice instead of the mid: with much more bid than asked the next mid is more often higher, and
// who quotes around the mid then sells too cheap.
//
//   npx tidewire backtest strategies/microprice-maker.ts --data data/sample --without-lockbox
//
// Source: S. Stoikov, The micro-price: a high-frequency estimator of future prices, Quantitative Finance 18 (2018); here its
// first approximation, the mid weighted by the opposite quantities, of which `trust` is believed.
// Parameters: halfSpreadBps, trust, quantity, maxPosition, skew, everyMs.
// It fails where the best quantities are bluff, and where the spread is one tick: there the microprice moves less than fees.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: −3.93 USDT in 253 trades after 3.11 of fees. No
//   evidence of an edge: trading loses money after costs (253 trades, by their sizes no more than 130 equal ones, DSR
//   0.00).
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −2.33 USDT in 95 trades after 1.27 of
//   fees. No evidence of an edge: trading loses money after costs (95 trades, by their sizes no more than 48 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineStrategy, quote, z } from 'tidewire';
import { map } from 'rxjs';

export default defineStrategy({
  name: 'microprice-maker',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    halfSpreadBps: z.number().positive().default(0.5).describe('distance of each quote from the fair price'),
    trust: z.number().min(0).max(1).default(1).describe('0 quotes around the mid, 1 around the microprice'),
    quantity: z.string().default('0.001').describe('base units of each quote'),
    maxPosition: z.number().positive().default(0.01).describe('base units; there only the way back is quoted'),
    skew: z.number().min(0).max(1).default(1).describe('how far quotes lean at the full position, in half spreads'),
    everyMs: z.number().positive().default(250).describe('quotes are looked at most this often'),
  }),
  setup({ params, market, account, indicators }) {
    const { symbol, quantity, maxPosition, trust } = params;
    const instrument = market.instrument(symbol);
    const micro = indicators.microprice();

    return market.top(symbol, { every: `${params.everyMs}ms` }).pipe(
      map((top) => {
        const fair = top.mid + trust * ((micro.next(top) ?? top.mid) - top.mid);
        const held = account.position(symbol).size;
        const half = fair * (params.halfSpreadBps / 1e4);
        const lean = params.skew * half * Math.min(1, Math.max(-1, held / maxPosition));
        // Never through the other side: such a quote would be denied.
        const bid = instrument.roundPrice(Math.min(fair - lean - half, top.ask - instrument.tick), 'down');
        const ask = instrument.roundPrice(Math.max(fair - lean + half, top.bid + instrument.tick), 'up');
        return quote(
          symbol,
          {
            bids: held < maxPosition ? [{ price: bid, quantity }] : [],
            asks: held > -maxPosition ? [{ price: ask, quantity }] : [],
          },
          { tolerance: { priceTicks: Math.floor(half / 4 / instrument.tick) } },
        );
      }),
    );
  },
});
