/** P2P pairs of the simulated treasury, with price bounds and no takers. The default is the sandbox's pair. */
import { z } from 'zod';
import type { P2pMarket } from '../../model/funds/p2p.ts';

const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'expected a decimal such as "95"');

export const p2pOptions = z
  .array(
    z.strictObject({
      base: z.string().min(1),
      quote: z.string().min(1),
      anchor: decimal.describe('Price from which the bounds are counted'),
      percent: decimal.describe('Bounds each way, percent'),
    }),
  )
  .default([{ base: 'USDT', quote: 'RUB', anchor: '95', percent: '10' }])
  .describe('P2P pairs of paper and backtest; advertisements get no answer there');

const ACTIVE_MAX = 3;
const TRADES_MAX = 5;

export function p2pMarketsOf(options: z.output<typeof p2pOptions>): readonly P2pMarket[] {
  return options.map(({ base, quote, anchor, percent }) => ({
    marketId: `${base}${quote}`,
    base,
    quote,
    basePrecision: 4,
    quotePrecision: 2,
    pricePrecision: 4,
    activeSellMax: ACTIVE_MAX,
    activeBuyMax: ACTIVE_MAX,
    advertisementMin: '0',
    advertisementMax: '1000000',
    tradeMin: '0',
    tradeMax: '100000000',
    activeTradesMax: TRADES_MAX,
    rule: { ruleType: 'anchor', ask: percent, bid: percent, price: anchor },
  }));
}
