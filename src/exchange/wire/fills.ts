/**
 * Own trades on the wire (wire profile, "Own trade"), both ways: the lists of own trades and the `@my-trades` channel.
 */
import { z } from 'zod';
import type { VenueFill } from '../../model/fill.ts';
import { marketOfSymbol } from './orders.ts';
import { decimal, id, optionalDecimal, positiveDecimal, symbol, time } from './scalars.ts';

const wireFill = z.object({
  tradeId: id,
  orderId: id,
  symbol,
  market: z.enum(['spot', 'derivative']).nullish(),
  side: z.enum(['buy', 'sell']),
  price: positiveDecimal,
  quantity: positiveDecimal,
  /** Below zero for a rebate. */
  fee: decimal,
  feeCurrency: z.string().min(1),
  liquidity: z.enum(['maker', 'taker']),
  positionSide: z.enum(['both', 'long', 'short']).nullish(),
  realizedPnl: optionalDecimal,
  ts: time,
});

export const fillSchema: z.ZodType<VenueFill> = wireFill.transform((wire) =>
  Object.freeze({
    tradeId: wire.tradeId,
    orderId: wire.orderId,
    symbol: wire.symbol,
    market: wire.market ?? marketOfSymbol(wire.symbol),
    side: wire.side,
    price: wire.price,
    quantity: wire.quantity,
    fee: wire.fee,
    feeCurrency: wire.feeCurrency,
    liquidity: wire.liquidity,
    ...(wire.positionSide ? { positionSide: wire.positionSide } : {}),
    ...(wire.realizedPnl !== null ? { realizedPnl: wire.realizedPnl } : {}),
    ts: wire.ts,
  }),
);

export function encodeFill(fill: VenueFill): Record<string, unknown> {
  return { ...fill };
}
