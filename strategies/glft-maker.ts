// The maker of Guéant, Lehalle and Fernandez-Tapia: Avellaneda and Stoikov's problem with a bound on inventory, solved in
// closed form, its two numbers of the market (how often others trade, how deep) measured while it runs.
//
//   npx tidewire backtest strategies/glft-maker.ts --data data/sample --without-lockbox
//
// Source: O. Guéant, C.-A. Lehalle, J. Fernandez-Tapia, Dealing with the inventory risk, Mathematics and Financial Economics 7
// (2013), the asymptotic formula. Trades reach a depth of δ bps with intensity A exp(−k δ): a line through ln(count) gives A and k.
// Parameters: gamma (risk aversion), window (looks that A, k and σ are measured over), feeBps, quantity, maxPosition.
// It fails where trades come in bursts: A and k are then those of the past. Thin trading gives no line, so no quote.
//
// Evidence (npm run strategies:evidence):
// - data/sample (synthetic books), 2026-11-21 04:43 UTC, 4.0 minutes: −2.46 USDT in 179 trades after 2.18 of fees. No
//   evidence of an edge: trading loses money after costs (179 trades, by their sizes no more than 92 equal ones, DSR
//   0.00).
// - BTC and ETH on Binance spot, books, 2024-08-08 23:54 UTC, 4.6 minutes: −0.63 USDT in 32 trades after 0.31 of
//   fees. No evidence of an edge: trading loses money after costs (32 trades, by their sizes no more than 13 equal
//   ones, DSR 0.00).
// (end of evidence)
import { defineStrategy, quote, z } from 'tidewire';
import { filter, ignoreElements, map, merge, tap } from 'rxjs';

/** The depths at which trades are counted, as parts of the deepest one of the window. */
const STEPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];

/** A (per look) and k (per bps) of A exp(−k δ), by least squares through the logarithms of the counts. */
function intensity(depths: readonly number[]): { a: number; k: number } | undefined {
  const deepest = Math.max(...depths);
  const points = STEPS.map((part) => {
    const depth = part * deepest;
    const reached = depths.filter((each) => each >= depth).length;
    // Both sides were counted together.
    return { depth, log: Math.log(reached / depths.length / 2) };
  });
  const n = points.length;
  const meanDepth = points.reduce((sum, { depth }) => sum + depth, 0) / n;
  const meanLog = points.reduce((sum, { log }) => sum + log, 0) / n;
  const covariance = points.reduce((sum, { depth, log }) => sum + (depth - meanDepth) * (log - meanLog), 0);
  const variance = points.reduce((sum, { depth }) => sum + (depth - meanDepth) ** 2, 0);
  const k = -covariance / variance;
  return k > 0 ? { a: Math.exp(meanLog + k * meanDepth), k } : undefined;
}

export default defineStrategy({
  name: 'glft-maker',
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    gamma: z
      .number()
      .positive()
      .default(0.05)
      .describe('risk aversion: the higher, the sooner inventory goes back to 0'),
    window: z.number().int().min(20).default(120).describe('looks that the market is measured over'),
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
    const depths: number[] = [];
    let before = Number.NaN;
    let deepest = 0;

    // How far from the mid of the last look trades have reached since.
    const prints = market.trades(symbol).pipe(
      tap(({ price }) => (deepest = Math.max(deepest, Math.abs(price / before - 1) * 1e4 || 0))),
      ignoreElements(),
    );
    const quotes = clock.every(`${params.everyMs}ms`).pipe(
      filter(() => !Number.isNaN(view.bid) && !Number.isNaN(view.ask)),
      map(() => {
        const { mid } = view;
        const sigma = deviation.next(Number.isNaN(before) ? 0 : Math.log(mid / before) * 1e4);
        depths.push(deepest);
        if (depths.length > params.window) depths.shift();
        before = mid;
        deepest = 0;
        const flow = sigma === undefined ? undefined : intensity(depths);
        if (sigma === undefined || flow === undefined) return [];
        const { a, k } = flow;
        const risk = sigma * Math.sqrt((gamma / (2 * a * k)) * (1 + gamma / k) ** (1 + k / gamma));
        const half = Math.log(1 + gamma / k) / gamma + risk / 2 + params.feeBps;
        const held = account.position(symbol).size;
        const shift = (held / Number(quantity)) * risk;
        chart.plot('half spread', half, { pane: 'bps' });
        chart.plot('lean per quote', risk, { pane: 'bps' });
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
    return merge(prints, quotes);
  },
});
