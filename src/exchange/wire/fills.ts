/** Own trades of lists and `@my-trades`, both ways. */
import { z } from 'zod';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Mutable } from '../../model/mutable.ts';
import { isWhole, oneOf, orNull, readByHand } from './by-hand.ts';
import { isRecord } from './decoded.ts';
import { marketOfSymbol } from './orders.ts';
import {
  decimal,
  id,
  optionalDecimal,
  positiveDecimal,
  readDecimal,
  readId,
  readOptionalDecimal,
  readPositive,
  readText,
  readTime,
  symbol,
  time,
} from './scalars.ts';

const market = z.enum(['spot', 'derivative']);
const side = z.enum(['buy', 'sell']);
const liquidity = z.enum(['maker', 'taker']);
const positionSide = z.enum(['both', 'long', 'short']);

const wireFill = z.object({
  tradeId: id,
  orderId: id,
  symbol,
  market: market.nullish(),
  side,
  price: positiveDecimal,
  quantity: positiveDecimal,
  /** Negative: rebate. */
  fee: decimal,
  feeCurrency: z.string().min(1),
  liquidity,
  positionSide: positionSide.nullish(),
  realizedPnl: optionalDecimal,
  ts: time,
});

type WireFill = z.infer<typeof wireFill>;

function fillOf(wire: WireFill): VenueFill {
  const fill: Mutable<VenueFill> = {
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
    ts: wire.ts,
  };
  if (wire.positionSide) fill.positionSide = wire.positionSide;
  if (wire.realizedPnl !== null) fill.realizedPnl = wire.realizedPnl;
  return Object.freeze(fill);
}

/** Reference for `fillSchema`. */
export const fillByZod: z.ZodType<VenueFill> = wireFill.transform(fillOf);

const marketOf = oneOf(market.options);
const sideOf = oneOf(side.options);
const liquidityOf = oneOf(liquidity.options);
const positionSideOf = orNull(oneOf(positionSide.options));

function readFill(row: unknown): VenueFill | undefined {
  if (!isRecord(row)) return undefined;
  const wire = {
    tradeId: readId(row['tradeId']),
    orderId: readId(row['orderId']),
    symbol: readText(row['symbol']),
    market: marketOf(row['market']),
    side: sideOf(row['side']),
    price: readPositive(row['price']),
    quantity: readPositive(row['quantity']),
    fee: readDecimal(row['fee']),
    feeCurrency: readText(row['feeCurrency']),
    liquidity: liquidityOf(row['liquidity']),
    positionSide: positionSideOf(row['positionSide']),
    realizedPnl: readOptionalDecimal(row['realizedPnl']),
    ts: readTime(row['ts']),
  };
  return isWhole(wire) ? fillOf(wire) : undefined;
}

export const fillSchema: z.ZodType<VenueFill> = readByHand(fillByZod, readFill);

export function encodeFill(fill: VenueFill): Record<string, unknown> {
  return { ...fill };
}
