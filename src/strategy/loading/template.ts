/** The strategy files that `tidewire new` writes; both run as they are. */

export type TemplateKind = 'stream' | 'candle';

function streamTemplate(name: string): string {
  return `import { defineStrategy, quote, z } from 'tidewire';
import { map } from 'rxjs';

// Edit and run: npx tidewire paper strategies/${name}.ts --for 30s
export default defineStrategy({
  name: '${name}',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    halfSpreadBps: z.number().positive().default(0.5),
    quantity: z.string().default('0.001'),
    // From this position on, in base units, only the way back is quoted. What rests may fill before the next quote:
    // the limit that holds is \`maxPosition\` of \`risk\`, or of the strategy's \`limits\`.
    maxPosition: z.number().positive().default(0.01),
  }),

  // Called once. What the Observable emits is carried out.
  setup({ params, market, account }) {
    const { symbol, quantity, halfSpreadBps, maxPosition } = params;
    const instrument = market.instrument(symbol);

    return market.top(symbol, { every: '250ms' }).pipe(
      map(({ mid }) => {
        const held = Number(account.position(symbol).quantity);
        const half = mid * (halfSpreadBps / 1e4);
        const bid = { price: instrument.roundPrice(mid - half, 'down'), quantity };
        const ask = { price: instrument.roundPrice(mid + half, 'up'), quantity };
        return quote(symbol, { bids: held < maxPosition ? [bid] : [], asks: held > -maxPosition ? [ask] : [] });
      }),
    );
  },
});
`;
}

function candleTemplate(name: string): string {
  return `import { defineCandleStrategy, target, z } from 'tidewire';

// Edit and run: npx tidewire paper strategies/${name}.ts --for 2m
export default defineCandleStrategy({
  name: '${name}',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    period: z.number().int().positive().default(20),
    quantity: z.string().default('0.001'),
  }),
  // Short, so that there is something to see within minutes; '1m', '15m' or '4h' is what people trade on.
  interval: '1s',

  // Candles to see before the first decision, the same in every mode.
  warmup: ({ period }) => period,

  // Made once for each symbol, handed to onCandle as vars.
  setup: ({ params, indicators }) => ({ average: indicators.sma(params.period) }),

  // Called with each closed candle. Answer an action, several, or nothing.
  onCandle(candle, { params, vars }) {
    const average = vars.average.next(candle.close);
    if (average === undefined) return;
    return target(params.symbol, { quantity: candle.close > average ? params.quantity : '0' });
  },
});
`;
}

export function strategyTemplate(name: string, kind: TemplateKind): string {
  return kind === 'candle' ? candleTemplate(name) : streamTemplate(name);
}
