/** P2P rows (interface, "Advertisement", "Trade (P2P)"). Scaled integers become canonical decimals. */
import { z } from 'zod';
import type { Advertisement, P2pTrade, P2pUser, PaymentMethod } from '../../../model/funds/p2p.ts';
import { advertisementStatuses, p2pTradeStatuses } from '../../interface/states.ts';
import { oneOrFirst, p2pMarketSchema } from './p2p-market.ts';
import { P2P_PRICE_SCALE, p2pScale, readScaled, scaledText } from './p2p-scaled.ts';
import { amount, displayNumber, id, optionalText, positiveDecimal, text, time } from '../scalars.ts';

const tradeRow = z.object({
  id,
  idNumber: id,
  volume: z.unknown(),
  volumeCurrencyId: text,
  amount: z.unknown(),
  amountCurrencyId: text,
  price: z.unknown(),
  status: z.enum(p2pTradeStatuses),
  sellUserId: id,
  buyUserId: id,
  roomId: id,
  advertisementId: id,
  marketId: id,
  paymentMethodId: id,
  createdAt: time,
  updatedAt: time,
});

export const p2pTradeSchema: z.ZodType<P2pTrade> = tradeRow.transform((row, context) => {
  const scaled = (field: 'volume' | 'amount' | 'price', scale: number | undefined): string => {
    const value = scale === undefined ? undefined : readScaled(row[field], scale);
    if (value !== undefined) return value;
    const message = scale === undefined ? 'of a currency without a documented precision' : 'expected a scaled integer';
    context.addIssue({ code: 'custom', path: [field], message });
    return '0';
  };
  const { id: tradeId, volumeCurrencyId: volumeCurrency, amountCurrencyId: amountCurrency, ...rest } = row;
  return {
    ...rest,
    tradeId,
    volumeCurrency,
    amountCurrency,
    volume: scaled('volume', p2pScale(volumeCurrency)),
    amount: scaled('amount', p2pScale(amountCurrency)),
    price: scaled('price', P2P_PRICE_SCALE),
  };
});

/** Throws a `RangeError` for an undocumented currency or a finer value. */
export function encodeP2pTrade(trade: P2pTrade): object {
  const { tradeId, volumeCurrency, amountCurrency, createdAt, updatedAt, ...rest } = trade;
  return {
    ...rest,
    id: tradeId,
    volume: scaledOf(trade.volume, volumeCurrency),
    volumeCurrencyId: volumeCurrency,
    amount: scaledOf(trade.amount, amountCurrency),
    amountCurrencyId: amountCurrency,
    price: scaledText(trade.price, P2P_PRICE_SCALE),
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}

function scaledOf(decimal: string, currency: string): string {
  const scale = p2pScale(currency);
  if (scale === undefined) throw new RangeError(`no P2P precision of ${currency}`);
  return scaledText(decimal, scale);
}

export const p2pUserSchema: z.ZodType<P2pUser> = z
  .object({ id, username: text, tradesCount: displayNumber })
  .transform(({ id: userId, username, tradesCount }) => ({ userId, username, tradesCount }));

export const paymentMethodSchema: z.ZodType<PaymentMethod> = z.object({ id, name: text });

export const advertisementSchema: z.ZodType<Advertisement> = z
  .object({
    id,
    idNumber: id,
    side: z.enum(['buy', 'sell']),
    status: z.enum(advertisementStatuses),
    base: text,
    quote: text,
    price: positiveDecimal,
    availableAmount: amount,
    minLimit: amount,
    maxLimit: amount,
    user: p2pUserSchema,
    paymentMethods: z.array(paymentMethodSchema),
    comment: optionalText,
    market: oneOrFirst(p2pMarketSchema),
    // Absent in the list of all advertisements.
    trades: z.array(p2pTradeSchema).default([]),
    createdAt: time,
    updatedAt: time,
  })
  .transform(({ id: advertisementId, user: maker, ...rest }) => ({ ...rest, advertisementId, maker }));
