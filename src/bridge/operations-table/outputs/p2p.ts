/** Answers about P2P. */
import { z } from 'zod';
import { advertisementStatuses, p2pTradeStatuses } from '../../../exchange/interface/states.ts';
import type { Advertisement, P2pMarket, P2pTrade, P2pUser, PaymentMethod } from '../../../model/funds/p2p.ts';
import { decimal, side, timeMs } from '../../schemas/common.ts';

const count = z.number();

export const p2pMarket: z.ZodType<P2pMarket> = z.object({
  marketId: z.string(),
  base: z.string(),
  quote: z.string(),
  basePrecision: count,
  quotePrecision: count,
  pricePrecision: count,
  activeSellMax: count.describe('Advertisements that may be active at a time'),
  activeBuyMax: count,
  advertisementMin: decimal.describe('Base units'),
  advertisementMax: decimal.describe('Base units'),
  tradeMin: decimal.describe('Quote units'),
  tradeMax: decimal.describe('Quote units'),
  activeTradesMax: count,
  rule: z.object({
    ruleType: z.string(),
    ask: decimal.describe('Percent'),
    bid: decimal.describe('Percent'),
    price: decimal.nullable(),
  }),
});

export const p2pUser: z.ZodType<P2pUser> = z.object({
  userId: z.string(),
  username: z.string(),
  tradesCount: count.describe('Completed'),
});

export const paymentMethod: z.ZodType<PaymentMethod> = z.object({ id: z.string(), name: z.string() });

export const p2pTrade: z.ZodType<P2pTrade> = z.object({
  tradeId: z.string(),
  idNumber: z.string(),
  volume: decimal.describe('What the taker receives'),
  volumeCurrency: z.string(),
  amount: decimal.describe('What the taker sends'),
  amountCurrency: z.string(),
  price: decimal,
  status: z.enum(p2pTradeStatuses),
  sellUserId: z.string(),
  buyUserId: z.string(),
  roomId: z.string(),
  advertisementId: z.string(),
  marketId: z.string(),
  paymentMethodId: z.string(),
  createdAt: timeMs,
  updatedAt: timeMs,
});

export const advertisement: z.ZodType<Advertisement> = z.object({
  advertisementId: z.string(),
  idNumber: z.string(),
  side: side.describe('sell: base is sold'),
  status: z.enum(advertisementStatuses),
  base: z.string(),
  quote: z.string(),
  price: decimal,
  availableAmount: decimal.describe('Base units'),
  minLimit: decimal.describe('Quote units a deal'),
  maxLimit: decimal.describe('Quote units a deal'),
  maker: p2pUser,
  paymentMethods: z.array(paymentMethod),
  comment: z.string().nullable(),
  market: p2pMarket,
  trades: z.array(p2pTrade).describe('Empty in a list of all advertisements'),
  createdAt: timeMs,
  updatedAt: timeMs,
});
