// Two symbols that move together: when their ratio is far from its mean it sells the dear one, buys the cheap one for the
// same money, and leaves when the ratio is back.
//
//   npx tidewire backtest strategies/my-strategy.ts --data PATH --param enter=2.5
//   npx tidewire sweep strategies/my-strategy.ts --space strategies/my-strategy.space.yaml --data PATH
//
// On spot it sells what the account holds. It fails when the two part for good: then it holds both legs of a loss.
import { defineStrategy, flatten, pair, z } from 'tidewire';
import { filter, map, mergeMap } from 'rxjs';

export default defineStrategy({
  name: 'my-strategy',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    first: z.string().default('BTCUSDT'),
    second: z.string().default('ETHUSDT'),
    every: z.string().default('1s').describe("a look at the ratio; '1m' is more usual on real data"),
    lookback: z.number().int().min(2).default(30).describe('looks that the mean is made of'),
    enter: z.number().positive().default(2).describe('standard deviations'),
    leave: z.number().min(0).default(0.5).describe('standard deviations'),
    quantity: z.string().default('0.01').describe('base units of the first'),
  }),
  symbols: ({ first, second }) => [first, second],

  // Called once. What the Observable emits is carried out.
  setup({ params, market, account, clock, indicators, chart }) {
    const { first, second, quantity } = params;
    const [one, other] = [market.view(first), market.view(second)];
    const zScore = indicators.zScore(params.lookback);

    return clock.every(params.every).pipe(
      map(() => one.mid / other.mid),
      filter((ratio) => Number.isFinite(ratio)),
      mergeMap((ratio) => {
        const score = zScore.next(Math.log(ratio));
        if (score === undefined) return [];
        chart.plot('z-score', score, { pane: 'z-score' });
        if (account.openOrders().length > 0) return [];

        const isFlat = account.position(first).isFlat && account.position(second).isFlat;
        if (!isFlat) return Math.abs(score) < params.leave ? [[flatten(first), flatten(second)]] : [];
        if (Math.abs(score) < params.enter) return [];
        const side = score > 0 ? -1 : 1;
        const legs = [
          { symbol: first, ratio: side },
          { symbol: second, ratio: -side * ratio },
        ];
        return [pair({ legs, quantity, maxUnhedged: '0', within: '5s' })];
      }),
    );
  },
});
