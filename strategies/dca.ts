// Averages in: buys at once, again at prices ever lower, and sells everything a little above the average price. Then it
// begins anew.
//
//   npx tidewire backtest strategies/dca.ts --data data/sample-bars --without-lockbox
//
// Source: folklore, the "safety orders" of retail bots; the program `dca` of docs/programs.md carries it out.
// Parameters: steps, stepBps (between them), growth (of each quantity over the one before), quantity, takeProfitBps, stopLossBps,
// cooldownMinutes.
// It fails in a fall without a rebound: many small gains, then one loss of them all. The stop bounds that loss; without one
// there is none.
//
// Evidence (npm run strategies:evidence):
// - data/sample-bars (synthetic minutes), 2026-09-01 to 2026-09-25: −39.04 USDT in 309 trades after 9.32 of fees. No
//   evidence of an edge: trading loses money after costs (309 trades, by their sizes no more than 149 equal ones, DSR
//   0.03).
// - BTC perpetual of FTX, minutes, traded as spot, 2021-12-31 to 2022-01-25: −15.07 USDT in 611 trades after 15.16 of
//   fees. No evidence of an edge: trading loses money after costs (611 trades, by their sizes no more than 336 equal
//   ones, DSR 0.05).
// (end of evidence)
import { dca, defineStrategy, z } from 'tidewire';
import { filter, map, take } from 'rxjs';

export default defineStrategy({
  name: 'dca',
  protect: true,
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    steps: z.number().int().min(1).max(20).default(5).describe('purchases of a round'),
    stepBps: z.number().positive().max(2000).default(60).describe('each purchase is so much below the one before'),
    growth: z.number().min(1).max(3).default(1.5).describe('each purchase is so many times the one before'),
    quantity: z.number().positive().default(0.001).describe('base units of the first purchase'),
    takeProfitBps: z.number().positive().default(50).describe('above the average price'),
    stopLossBps: z.number().positive().default(400).describe('below the average price'),
    cooldownMinutes: z.number().positive().default(5).describe('between two rounds'),
  }),
  setup({ params, market, account, clock }) {
    const { symbol, steps, stepBps, growth } = params;
    const instrument = market.instrument(symbol);
    const view = market.view(symbol);
    const levels = Array.from({ length: steps }, (_, index) => ({
      bps: index * stepBps,
      quantity: instrument.roundQuantity(params.quantity * growth ** index, 'nearest'),
    }));

    // One program for ever: it goes from round to round, over restarts too.
    return clock.every('1s').pipe(
      filter(() => !Number.isNaN(view.mid)),
      take(1),
      filter(() => account.position(symbol).isFlat && account.openOrders(symbol).length === 0),
      map(() =>
        dca({
          symbol,
          levels,
          takeProfit: { bps: params.takeProfitBps },
          stopLoss: { bps: params.stopLossBps },
          cooldown: `${params.cooldownMinutes}m`,
        }),
      ),
    );
  },
});
