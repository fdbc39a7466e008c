/** Orders of answers, lists and channels, both ways. */
import { z } from 'zod';
import type { Mutable } from '../../model/mutable.ts';
import type { OrderReport, OrderRequest } from '../../model/trading/order.ts';
import { isWhole, oneOf, orNull, readByHand } from './by-hand.ts';
import { isRecord } from './decoded.ts';
import {
  amount,
  id,
  optionalPrice,
  optionalText,
  positiveDecimal,
  readAmount,
  readId,
  readOptionalPrice,
  readOptionalText,
  readPositive,
  readText,
  readTime,
  symbol,
  time,
} from './scalars.ts';

const side = z.enum(['buy', 'sell']);
const orderType = z.enum(['limit', 'market']);
const timeInForce = z.enum(['gtc', 'ioc']);
const positionSide = z.enum(['both', 'long', 'short']);
const market = z.enum(['spot', 'derivative']);
const status = z.enum(['new', 'partially_filled', 'filled', 'canceled', 'rejected', 'expired']);

/** For orders without a market (assumed). */
export function marketOfSymbol(symbolText: string): 'spot' | 'derivative' {
  return symbolText.endsWith('PERP') ? 'derivative' : 'spot';
}

const wireOrder = z.object({
  orderId: id,
  clientOrderId: optionalText,
  market: market.nullish(),
  symbol,
  side,
  type: orderType,
  timeInForce: timeInForce.nullish(),
  price: optionalPrice,
  quantity: positiveDecimal,
  filledQuantity: amount,
  averagePrice: optionalPrice,
  status,
  positionSide: positionSide.nullish(),
  reduceOnly: z.boolean().nullish(),
  reason: optionalText,
  createdAt: time,
  updatedAt: time,
});

type WireOrder = z.infer<typeof wireOrder>;

function reportOf(wire: WireOrder): OrderReport {
  const report: Mutable<OrderReport> = {
    orderId: wire.orderId,
    market: wire.market ?? marketOfSymbol(wire.symbol),
    symbol: wire.symbol,
    side: wire.side,
    type: wire.type,
    timeInForce: wire.timeInForce ?? (wire.type === 'market' ? 'ioc' : 'gtc'),
    price: wire.price,
    quantity: wire.quantity,
    filledQuantity: wire.filledQuantity,
    averagePrice: wire.averagePrice,
    status: wire.status,
    createdAt: wire.createdAt,
    updatedAt: wire.updatedAt,
  };
  if (wire.clientOrderId !== null) report.clientOrderId = wire.clientOrderId;
  if (wire.positionSide) report.positionSide = wire.positionSide;
  if (typeof wire.reduceOnly === 'boolean') report.reduceOnly = wire.reduceOnly;
  if (wire.reason !== null) report.reason = wire.reason;
  return Object.freeze(report);
}

/** Reference for `orderSchema`. */
export const orderByZod: z.ZodType<OrderReport> = wireOrder.transform((wire, context) => {
  if (wire.type === 'limit' && wire.price === null) {
    context.addIssue({ code: 'custom', path: ['price'], message: 'missing, expected the price of a limit order' });
    return z.NEVER;
  }
  return reportOf(wire);
});

const sideOf = oneOf(side.options);
const typeOf = oneOf(orderType.options);
const timeInForceOf = oneOf(timeInForce.options);
const marketOf = oneOf(market.options);
const statusOf = oneOf(status.options);
const positionSideOf = orNull(oneOf(positionSide.options));
const reduceOnlyOf = orNull(oneOf([true, false]));

function readOrder(row: unknown): OrderReport | undefined {
  if (!isRecord(row)) return undefined;
  const wire = {
    orderId: readId(row['orderId']),
    clientOrderId: readOptionalText(row['clientOrderId']),
    market: marketOf(row['market']),
    symbol: readText(row['symbol']),
    side: sideOf(row['side']),
    type: typeOf(row['type']),
    timeInForce: timeInForceOf(row['timeInForce']),
    price: readOptionalPrice(row['price']),
    quantity: readPositive(row['quantity']),
    filledQuantity: readAmount(row['filledQuantity']),
    averagePrice: readOptionalPrice(row['averagePrice']),
    status: statusOf(row['status']),
    positionSide: positionSideOf(row['positionSide']),
    reduceOnly: reduceOnlyOf(row['reduceOnly']),
    reason: readOptionalText(row['reason']),
    createdAt: readTime(row['createdAt']),
    updatedAt: readTime(row['updatedAt']),
  };
  if (!isWhole(wire) || (wire.type === 'limit' && wire.price === null)) return undefined;
  return reportOf(wire);
}

export const orderSchema: z.ZodType<OrderReport> = readByHand(orderByZod, readOrder);

/** Market orders have price null. */
export function encodeOrder(order: OrderReport): Record<string, unknown> {
  return { ...order };
}

/** `clientOrderId` only where the exchange keeps it. */
export function encodeOrderRequest(order: OrderRequest, clientOrderIds: boolean): Record<string, unknown> {
  const body: Record<string, unknown> = { symbol: order.symbol, side: order.side, type: order.type };
  if (order.type === 'limit') {
    body['timeInForce'] = order.timeInForce;
    body['price'] = order.price;
  }
  body['quantity'] = order.quantity;
  if (order.market === 'derivative') {
    if (order.positionSide !== undefined) body['positionSide'] = order.positionSide;
    if (order.reduceOnly !== undefined) body['reduceOnly'] = order.reduceOnly;
  }
  if (clientOrderIds) body['clientOrderId'] = order.clientOrderId;
  return body;
}

/** The endpoint implies the market. */
export const orderRequestSchema = z
  .object({
    symbol,
    side,
    type: orderType,
    timeInForce: timeInForce.optional(),
    price: positiveDecimal.optional(),
    quantity: positiveDecimal,
    clientOrderId: z.string().min(1).max(64).optional(),
    positionSide: positionSide.optional(),
    reduceOnly: z.boolean().optional(),
  })
  .refine((order) => order.type === 'market' || order.price !== undefined, {
    path: ['price'],
    message: 'a limit order needs a price',
  });

export const cancelManySchema = z.object({
  canceled: z.array(id),
  failed: z.array(z.object({ orderId: id, code: z.string() })),
});
