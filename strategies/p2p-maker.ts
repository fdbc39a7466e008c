// Keeps one P2P advertisement a margin away from the spot book, inside the price bounds of the pair, and answers trades.
//
//   npx tidewire paper strategies/p2p-maker.ts --config config/p2p.yaml --for 30s      (nobody answers in paper)
//   npx tidewire run strategies/p2p-maker.ts --config config/p2p.yaml --live --confirm ACCOUNT
//
// The configuration has to allow it: `limits: { p2p: true }` on its entry under `strategies`.
//
// Source: folklore of P2P desks.
// Parameters: side, amount, minLimit, maxLimit, marginPercent, repricePercent, payMinutes, checkMinutes, confirmWithoutProof.
// It fails where payments are taken back after the coins are gone, and where the margin is below what others ask.
//
// `confirm` releases the money for good. Nothing on the exchange proves that the fiat has arrived; your bank does. So this
// file never confirms by itself: it says in a note (and in the log) that a payment is to be checked, and you confirm it
// with `npx tidewire p2p confirm TRADE`. With `confirmWithoutProof=true` it believes every buyer who says that he has paid.
//
// Evidence (npm run strategies:evidence):
// - Not judged: nobody answers advertisements in a backtest.
// (end of evidence)
import { advertise, defineStrategy, note, p2pTrade, z, type Action, type P2pTrade } from 'tidewire';
import { combineLatest, filter, map, merge, tap, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'p2p-maker',
  params: z.object({
    symbol: z.string().default('USDTRUB').describe('spot pair whose book gives the price'),
    marketId: z.string().default('USDTRUB').describe('P2P pair'),
    side: z.enum(['sell', 'buy']).default('sell').describe('what the advertisement does with the base currency'),
    amount: z.string().default('500').describe('base units on offer'),
    minLimit: z.string().default('500').describe('smallest deal, quote units'),
    maxLimit: z.string().default('20000').describe('largest deal, quote units'),
    paymentMethodIds: z.string().default('1').describe('ids, separated by commas'),
    marginPercent: z.number().min(0).default(1).describe('distance of the price from the best of the book'),
    repricePercent: z.number().positive().default(0.2).describe('the advertisement stays while it is off by less'),
    everyMs: z.number().positive().default(5000).describe('prices are looked at most this often'),
    payMinutes: z.number().positive().default(30).describe('a deal that is not paid by then is cancelled'),
    checkMinutes: z.number().positive().default(120).describe('a payment that nobody confirmed by then is disputed'),
    confirmWithoutProof: z.boolean().default(false).describe('release the money on the word of the buyer'),
  }),
  setup({ params, market, p2p, clock, log }) {
    const { symbol, marketId, side, marginPercent } = params;
    const ref = 'maker';
    const sign = side === 'sell' ? 1 : -1;

    // ── the price ──────────────────────────────────────────────────────────────────────────────────────────────────
    const prices = combineLatest([market.top(symbol), p2p.market(marketId)]).pipe(
      throttleTime(params.everyMs, undefined, { leading: true, trailing: true }),
      map(([top, pair]) => {
        const best = side === 'sell' ? top.ask : top.bid;
        const fair = best * (1 + (sign * marginPercent) / 100);
        const low = Number(pair.low ?? Number.NaN);
        const high = Number(pair.high ?? Number.NaN);
        // At the far bound the price is better for us than we asked; past the near one it would cost the margin.
        const possible = side === 'sell' ? fair <= high : fair >= low;
        const price = Math.min(high, Math.max(low, fair)).toFixed(pair.market.pricePrecision);
        return { possible, price };
      }),
      // A number that is no number: the bounds are not known yet.
      filter(({ price }) => Number.isFinite(Number(price))),
      // Every change is three requests and a moment out of sight: small moves are not worth it. What stands is asked
      // anew each time, so a change that was denied is tried again, and an offer that is sold out is made again.
      filter(({ possible, price }) => {
        const standing = p2p.advertisement(ref);
        const shown = standing?.status === 'active';
        const moved = Math.abs(Number(price) / Number(standing?.price) - 1) * 100;
        return shown !== possible || (shown && moved >= params.repricePercent);
      }),
      map(({ possible, price }) =>
        advertise({
          ref,
          marketId,
          side,
          price,
          amount: params.amount,
          minLimit: params.minLimit,
          maxLimit: params.maxLimit,
          paymentMethodIds: params.paymentMethodIds.split(','),
          active: possible,
        }),
      ),
    );

    // ── the trades ─────────────────────────────────────────────────────────────────────────────────────────────────
    const trades = new Map<string, P2pTrade>();
    const taken = new Set<string>();
    const once = (trade: P2pTrade, step: string): boolean => {
      const key = `${trade.tradeId}/${step}`;
      if (taken.has(key)) return false;
      taken.add(key);
      return true;
    };
    const minutes = (trade: P2pTrade): number => (clock.now() - trade.updatedAt) / 60_000;

    const answer = (trade: P2pTrade): Action[] => {
      const { tradeId, status } = trade;
      // The exchange cancels a trade that is not started within 10 minutes.
      if (status === 'open:wait-confirm' && once(trade, 'start')) return [p2pTrade({ tradeId, do: 'start' })];
      if (status === 'open' && minutes(trade) > params.payMinutes && once(trade, 'cancel'))
        return [p2pTrade({ tradeId, do: 'cancel' })];
      if (status !== 'send-payment-document' || side !== 'sell') return [];
      if (params.confirmWithoutProof && once(trade, 'confirm')) return [p2pTrade({ tradeId, do: 'confirm' })];
      if (minutes(trade) > params.checkMinutes && once(trade, 'dispute'))
        return [p2pTrade({ tradeId, do: 'dispute', reason: 'the payment did not arrive' })];
      if (!once(trade, 'check')) return [];
      log.warn(
        { trade: tradeId, amount: trade.amount, currency: trade.amountCurrency },
        'check this payment, then confirm',
      );
      return [
        note(`check the payment of trade ${trade.idNumber}: ${trade.amount} ${trade.amountCurrency}`, { tradeId }),
      ];
    };

    const own = (trade: P2pTrade): boolean => trade.advertisementId === p2p.advertisement(ref)?.advertisementId;
    const answers = merge(
      p2p.trades().pipe(
        filter(own),
        tap((trade) => trades.set(trade.tradeId, trade)),
        map(answer),
      ),
      // The rules of time are looked at again as time passes.
      clock.every('10s').pipe(map(() => [...trades.values()].flatMap(answer))),
    );
    return merge(prices, answers.pipe(filter((actions) => actions.length > 0)));
  },
});
