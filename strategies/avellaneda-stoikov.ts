// Avellaneda and Stoikov's market maker: quotes around a price that inventory moves away from the mid, the wider the more
// the price moves.
//
//   npx tidewire backtest strategies/avellaneda-stoikov.ts --data data/sample --without-lockbox
//
// Source: M. Avellaneda and S. Stoikov, High-frequency trading in a limit order book, Quantitative Finance 8 (2008), with a
// horizon that never ends. All in 1/100 of a per cent of the mid: fair = mid − q γ σ² T, half spread = γ σ² T / 2 + ln(1 + γ / k) / γ.
// Parameters: gamma (risk aversion), depthBps (1 / k), horizonSeconds (T), window (of σ), feeBps, quantity, maxPosition.
// It fails where fills foretell the next move (the paper's fills are independent of it), and behind a long queue.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: −1.53 USDT in 111 trades after 1.36 of fees. No
//   evidence of an edge: trading loses money after costs (111 trades, by their sizes no more than 57 equal ones, DSR
//   0.00).
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −1.11 USDT in 48 trades after 0.62 of
//   fees. No evidence of an edge: trading loses money after costs (48 trades, by their sizes no more than 24 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineStrategy, quote, z } from 'tidewire';
import { filter, map } from 'rxjs';

export default defineStrategy({
  name: 'avellaneda-stoikov',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    gamma: z
      .number()
      .positive()
      .default(0.05)
      .describe('risk aversion: the higher, the sooner inventory goes back to 0'),
    depthBps: z.number().positive().default(0.5).describe('fills become e times rarer each so many bps from the mid'),
    horizonSeconds: z.number().positive().default(20).describe('how long inventory is expected to be held'),
    window: z.number().int().min(5).default(60).describe('looks that the volatility is measured over'),
    feeBps: z.number().min(0).default(0).describe('maker fee, added to the half spread'),
    quantity: z.string().default('0.001').describe('base units of each quote'),
    maxPosition: z.number().positive().default(0.01).describe('base units; there only the way back is quoted'),
    everyMs: z.number().positive().default(500).describe('the market is looked at this often'),
  }),
  setup({ params, market, account, clock, indicators, chart }) {
    const { symbol, gamma, quantity, maxPosition } = params;
    const instrument = market.instrument(symbol);
    const view = market.view(symbol);
    const deviation = indicators.stdev(params.window);
    let before = Number.NaN;

    return clock.every(`${params.everyMs}ms`).pipe(
      filter(() => !Number.isNaN(view.bid) && !Number.isNaN(view.ask)),
      map(() => {
        const { mid } = view;
        const moved = Number.isNaN(before) ? 0 : Math.log(mid / before) * 1e4;
        before = mid;
        const sigma = deviation.next(moved);
        if (sigma === undefined) return [];
        // Variance over the horizon, bps².
        const risk = gamma * ((sigma * sigma) / (params.everyMs / 1000)) * params.horizonSeconds;
        const held = account.position(symbol).size;
        const shift = (held / Number(quantity)) * risk;
        const half = risk / 2 + Math.log(1 + gamma * params.depthBps) / gamma + params.feeBps;
        chart.plot('half spread', half, { pane: 'bps' });
        const at = (bps: number): number => mid * (1 + bps / 1e4);
        // Never through the other side: such a quote would be denied.
        const bid = instrument.roundPrice(Math.min(at(-shift - half), view.ask - instrument.tick), 'down');
        const ask = instrument.roundPrice(Math.max(at(-shift + half), view.bid + instrument.tick), 'up');
        return quote(
          symbol,
          {
            bids: held < maxPosition ? [{ price: bid, quantity }] : [],
            asks: held > -maxPosition ? [{ price: ask, quantity }] : [],
          },
          { tolerance: { priceTicks: Math.floor((mid * half) / 4e4 / instrument.tick) } },
        );
      }),
    );
  },
});
