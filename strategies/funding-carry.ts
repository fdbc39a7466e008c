// Funding carry: long spot and short the perpetual of the same asset, in the same quantity, while the funding rate pays for
// it. The price may go anywhere: what one leg loses the other one gains, and the short leg receives funding.
//
//   npx tidewire paper strategies/funding-carry.ts --for 60s
//   npx tidewire backtest strategies/funding-carry.ts --data PATH --param enterRate=0.0002
//   npx tidewire run strategies/funding-carry.ts --config config/sandbox.yaml --live --confirm alice
//
// Source: the cash-and-carry trade on perpetuals; D. Ackerer, J. Hugonnier, U. Jermann, Perpetual Futures Pricing (2024).
// Parameters: enterRate and exitRate (of an interval; 0.0001 each eight hours is about 11 % a year), quantity, drift, everySeconds.
// It fails by the fees of four trades, by the basis (perpetual and spot need not move alike), and by margin: at a high
// leverage the short leg can be liquidated while the long one is only worth more.
//
// Evidence (npm run strategies:evidence):
// - Not judged: there is no recording with funding rates.
// (end of evidence)
import { defineStrategy, target, z } from 'tidewire';
import { combineLatest, filter, map, scan, startWith, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'funding-carry',
  params: z
    .object({
      spot: z.string().default('BTCUSDT'),
      perpetual: z.string().default('BTCUSDTPERP'),
      quantity: z.string().default('0.01').describe('base units of each leg'),
      enterRate: z.number().default(0.00005).describe('open both legs at this funding rate per interval or above'),
      exitRate: z.number().default(0).describe('unwind at this rate or below'),
      drift: z.number().min(0).max(1).default(0.02).describe('rebalance when the legs are this part of it apart'),
      everySeconds: z.number().positive().default(1).describe('the legs are looked at most this often'),
    })
    .refine(({ enterRate, exitRate }) => exitRate < enterRate, {
      path: ['exitRate'],
      message: 'must be under enterRate',
    }),
  setup({ params, market, account, log }) {
    const { spot, perpetual, enterRate, exitRate } = params;
    const quantity = Number(params.quantity);
    const tolerance = params.drift * quantity;
    const hedge = market.instrument(perpetual);
    // Spot is held in base units, a perpetual in contracts: one contract is this much of the base.
    const contract = Number(hedge.spec.contractSize ?? '1');
    const held = (symbol: string): number => account.position(symbol).size;

    // Two thresholds, so that a rate around one of them does not trade back and forth. After a restart it goes on with
    // what it holds.
    const began = held(spot) > tolerance;
    const carries = market.funding(perpetual).pipe(
      scan((carry, { rate }) => (carry ? rate > exitRate : rate >= enterRate), began),
      startWith(began),
    );

    // Both books must be there, and the mark: it is what funding is paid on and the margin judged by.
    return combineLatest([carries, market.mark(perpetual), market.top(spot), market.top(perpetual)]).pipe(
      throttleTime(params.everySeconds * 1000, undefined, { leading: true, trailing: true }),
      map(([carry, { markPrice, indexPrice }]) => {
        const long = held(spot);
        const short = -held(perpetual);
        // What is really held decides how much is short: the spot fee was taken from the base that was bought.
        const wanted = carry ? hedge.roundQuantity(Math.max(long, 0) / contract, 'nearest') : 0;
        const isWhole = carry ? long >= quantity - tolerance : long <= tolerance;
        const isHedged = carry ? Math.abs(wanted - short) * contract <= tolerance : short === 0;
        return { carry, long, short, wanted, isWhole, isHedged, basis: markPrice / indexPrice - 1 };
      }),
      filter(({ isWhole, isHedged }) => !isWhole || !isHedged),
      map(({ carry, long, short, wanted, isWhole, isHedged, basis }) => {
        log.info({ long, short, basis }, carry ? 'bring the legs together' : 'unwind');
        // In: the spot leg leads and the short one follows what was filled. Out: both at once. A target that is being
        // reached already sends nothing when it is said again.
        return [
          ...(isWhole ? [] : [target(spot, { quantity: carry ? params.quantity : '0' })]),
          ...(isHedged ? [] : [target(perpetual, { quantity: -wanted })]),
        ];
      }),
    );
  },
});
