/**
 * One P2P trade and its wire form (interface, "Trade (P2P)"). Only base moves on the books: it lies locked on the
 * seller's `p2p` account from the response until the end; fiat is paid outside. Amounts on the wire are scaled integers in
 * the taker's view, for both sides (wire profile, "Details that a client may rely on").
 */
import type { P2pTradeStatus } from '../../../exchange/interface/states.ts';
import { P2P_PRICE_SCALE, scaledText } from '../../../exchange/wire/p2p-scaled.ts';
import { decimalText, type Decimal } from '../../../model/money.ts';
import type { Cancel } from '../../../model/ports.ts';
import type { Currency } from '../instruments.ts';
import type { User } from '../users.ts';
import type { Advertisement } from './advertisement.ts';

export interface P2pTrade {
  readonly tradeId: string;
  readonly idNumber: string;
  readonly advertisement: Advertisement;
  /** `offers` of the advertisement when it was answered. */
  readonly offer: number;
  readonly taker: User;
  readonly buyer: User;
  readonly seller: User;
  readonly base: Decimal;
  readonly quote: Decimal;
  /** Of the advertisement when it was answered. */
  readonly price: Decimal;
  readonly paymentMethodId: string;
  readonly createdAt: number;
  status: P2pTradeStatus;
  updatedAt: number;
  /** Ends what the clock would do next. */
  cancelStep: Cancel;
}

export function isParty(trade: P2pTrade, user: User): boolean {
  return trade.buyer === user || trade.seller === user;
}

export function p2pTradeBody(trade: P2pTrade): object {
  const { advertisement, taker, buyer, seller } = trade;
  const { market } = advertisement;
  const base = [scaled(trade.base, market.base), market.base.currency] as const;
  const quote = [scaled(trade.quote, market.quote), market.quote.currency] as const;
  const [received, sent] = taker === buyer ? [base, quote] : [quote, base];
  return {
    id: trade.tradeId,
    idNumber: trade.idNumber,
    volume: received[0],
    volumeCurrencyId: received[1],
    amount: sent[0],
    amountCurrencyId: sent[1],
    price: scaledText(decimalText(trade.price), P2P_PRICE_SCALE),
    status: trade.status,
    sellUserId: seller.userId,
    buyUserId: buyer.userId,
    roomId: `room-${trade.tradeId}`,
    advertisementId: advertisement.advertisementId,
    marketId: market.marketId,
    paymentMethodId: trade.paymentMethodId,
    createdAt: new Date(trade.createdAt).toISOString(),
    updatedAt: new Date(trade.updatedAt).toISOString(),
  };
}

/** By the precision that the pair tells (interface, "Encoding rule"). */
function scaled(amount: Decimal, { precision }: Currency): string {
  return scaledText(decimalText(amount), precision);
}
