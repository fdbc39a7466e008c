/** A trader of the verdict study as a strategy on bars of ten minutes: what `end-to-end.ts` validates. It trades at the market. */
import { defineCandleStrategy, target, z } from 'tidewire';
import { seededRandom } from '../../../src/model/random.ts';
import { START_MS, MINUTE_MS } from './market.ts';
import { shapes, signalOf, traderOf } from './traders.ts';

export default defineCandleStrategy({
  name: 'verdict-study',
  params: z.object({
    symbol: z.string().default('BTCUSDTPERP'),
    shape: z.enum(shapes),
    case: z.number(),
    trial: z.number().default(0),
    isPlanted: z.boolean(),
  }),
  interval: '10m',
  setup({ params: { shape, trial, isPlanted, case: seed } }) {
    const signal = signalOf(seededRandom(seed).fork(`study ${shape}`).fork('signal'), isPlanted);
    const trader = traderOf({ shape, trial, isLongOnly: false, signal, queueTicks: 0 });
    return { trader, first: null as number | null };
  },
  onCandle(candle, { params, vars }) {
    const minute = Math.round((candle.openTime + candle.intervalMs - START_MS) / MINUTE_MS);
    const change = vars.trader.next(minute, Math.round(candle.close / 10));
    if (change === null) return;
    return target(params.symbol, { quantity: (vars.trader.position / 10).toFixed(1) });
  },
});
