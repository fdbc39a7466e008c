// Basis: buys spot and sells the perpetual when the perpetual costs more than spot by more than four fees, and undoes both when
// they have come together. Unlike funding-carry it does not look at funding at all.
//
//   npx tidewire paper strategies/basis.ts --for 60s
//   npx tidewire backtest strategies/basis.ts --data PATH --param enterBps=25
//
// Source: the cash-and-carry trade; D. Ackerer, J. Hugonnier, U. Jermann, Perpetual Futures Pricing (2024), on why the gap closes.
// Parameters: enterBps and exitBps (of the gap between the books, each side at the price it would trade at), quantity, withinSeconds.
// It fails when the gap widens for long: funding, margin and the position limit end it before the gap does. A gap below four taker fees never pays.
//
// Evidence (npm run strategies:evidence):
// - BTC on Binance, spot and perpetual, books, 2024-08-08 23:54 UTC, 4.6 minutes with enterBps=-3 exitBps=-5: −2.85
//   USDT in 12 trades after 3.08 of fees. No evidence of an edge: trading loses money after costs (12 trades, by
//   their sizes no more than 5 equal ones, DSR 0.00).
// - Not judged further: the samples have no perpetual.
// (end of evidence)
import { defineStrategy, pair, z } from 'tidewire';
import { filter, ignoreElements, map, merge, tap } from 'rxjs';

export default defineStrategy({
  name: 'basis',
  params: z
    .object({
      spot: z.string().default('BTCUSDT'),
      perpetual: z.string().default('BTCUSDTPERP'),
      quantity: z.number().positive().default(0.01).describe('base units of each leg'),
      enterBps: z.number().default(20).describe('goes in when the perpetual can be sold so much above spot'),
      exitBps: z.number().default(0).describe('goes out when it can be bought back this far above spot or less'),
      withinSeconds: z.number().positive().default(5).describe('both legs are filled by then, or undone'),
      everyMs: z.number().positive().default(1000).describe('the two books are looked at this often'),
    })
    .refine(({ enterBps, exitBps }) => exitBps < enterBps, { path: ['exitBps'], message: 'must be under enterBps' }),
  symbols: ({ spot, perpetual }) => [spot, perpetual],
  setup({ params, market, account, clock, chart }) {
    const { spot, perpetual, quantity } = params;
    const [near, far] = [market.view(spot), market.view(perpetual)];
    // Spot is held in base units, a perpetual in contracts.
    const contract = Number(market.instrument(perpetual).spec.contractSize ?? '1');
    let isWorking = false;

    const legs = (units: number, spotSign: number, hedge: number) =>
      pair({
        legs: [
          { symbol: spot, ratio: spotSign },
          { symbol: perpetual, ratio: (-spotSign * hedge) / contract },
        ],
        quantity: units,
        maxUnhedged: 0,
        within: `${params.withinSeconds}s`,
      });
    const pairs = account.programs().pipe(
      tap(({ state }) => (isWorking = state === 'working')),
      ignoreElements(),
    );
    const decisions = clock.every(`${params.everyMs}ms`).pipe(
      filter(() => !isWorking && ![near.bid, near.ask, far.bid, far.ask].some(Number.isNaN)),
      map(() => {
        const entry = (far.bid / near.ask - 1) * 1e4;
        const exit = (far.ask / near.bid - 1) * 1e4;
        chart.plot('basis', (entry + exit) / 2, { pane: 'bps' });
        const long = account.position(spot);
        const short = -account.position(perpetual).size * contract;
        if (long.isFlat && short === 0) return entry >= params.enterBps ? legs(quantity, 1, 1) : [];
        // What is held, since a fee in base has taken a part of the spot leg.
        return exit <= params.exitBps && !long.isFlat ? legs(long.size, -1, short / long.size) : [];
      }),
    );
    return merge(pairs, decisions);
  },
});
