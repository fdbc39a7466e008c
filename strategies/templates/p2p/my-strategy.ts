// One P2P advertisement, a margin away from the spot book and inside the price bounds of its pair.
//
//   npx tidewire backtest strategies/my-strategy.ts --config strategies/my-strategy.config.yaml --data PATH
//   npx tidewire run strategies/my-strategy.ts --config FILE --live --confirm ACCOUNT
//
// It starts the trades that come and says which payment is to be checked. It never confirms one: nothing on the exchange
// proves that the fiat has arrived, your bank does. Then: npx tidewire p2p confirm TRADE
import { advertise, defineStrategy, note, p2pTrade, z, type Action, type P2pTrade } from 'tidewire';
import { combineLatest, filter, map, merge, mergeMap, throttleTime } from 'rxjs';

export default defineStrategy({
  name: 'my-strategy',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('USDTRUB').describe('spot pair whose book gives the price'),
    marketId: z.string().default('USDTRUB').describe('P2P pair'),
    amount: z.string().default('500').describe('base units on offer'),
    minLimit: z.string().default('500').describe('smallest deal, quote units'),
    maxLimit: z.string().default('20000').describe('largest deal, quote units'),
    paymentMethodIds: z.array(z.string()).default(['1']),
    marginBps: z.number().min(0).default(100).describe('distance of the price from the best ask'),
    repriceBps: z.number().positive().default(20).describe('the advertisement stays while it is off by less'),
    everyMs: z.number().positive().default(5_000).describe('prices are looked at most this often'),
  }),

  // Called once. What the Observable emits is carried out.
  setup({ params, market, p2p }) {
    const { symbol, marketId, amount, minLimit, maxLimit, paymentMethodIds } = params;
    const ref = 'offer';

    const prices = combineLatest([market.top(symbol), p2p.market(marketId)]).pipe(
      throttleTime(params.everyMs, undefined, { leading: true, trailing: true }),
      map(([{ ask }, { market: pair, low, high }]) => {
        const wanted = ask * (1 + params.marginBps / 1e4);
        // Bounds that are not known yet are no number.
        const price = Math.min(Number(high ?? Number.NaN), Math.max(Number(low ?? Number.NaN), wanted));
        return { price: price.toFixed(pair.pricePrecision), active: price >= wanted };
      }),
      filter(({ price }) => Number.isFinite(Number(price))),
      // Each change takes the advertisement out of sight for a moment: small moves are not worth it.
      filter(({ price, active }) => {
        const standing = p2p.advertisement(ref);
        const isShown = standing?.status === 'active';
        const movedBps = Math.abs(Number(price) / Number(standing?.price) - 1) * 1e4;
        return isShown !== active || (isShown && movedBps >= params.repriceBps);
      }),
      map(({ price, active }) =>
        advertise({ ref, marketId, side: 'sell', price, amount, minLimit, maxLimit, paymentMethodIds, active }),
      ),
    );

    const answered = new Set<string>();
    const answer = ({ tradeId, idNumber, status, amount: paid, amountCurrency }: P2pTrade): Action[] => {
      const step = `${tradeId} ${status}`;
      if (answered.has(step)) return [];
      answered.add(step);
      // The exchange cancels a trade that is not started within 10 minutes.
      if (status === 'open:wait-confirm') return [p2pTrade({ tradeId, do: 'start' })];
      if (status !== 'send-payment-document') return [];
      return [note(`check the payment of trade ${idNumber}: ${paid} ${amountCurrency}`, { tradeId })];
    };
    const trades = p2p.trades().pipe(
      filter(({ advertisementId }) => advertisementId === p2p.advertisement(ref)?.advertisementId),
      mergeMap(answer),
    );
    return merge(prices, trades);
  },
});
