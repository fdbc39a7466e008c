/** A P2P trade and its wire form: scaled integers, in the taker's view for both sides. Fiat is paid outside. */
import { P2P_PRICE_SCALE, scaledText } from '../../../exchange/wire/p2p/p2p-scaled.ts';
import { decimalText, type Decimal } from '../../../model/numbers/money.ts';
import type { Currency } from '../market/instruments.ts';
import type { User } from '../identity/users.ts';
import { advertisementSummary, type Advertisement, type P2pTrade } from './advertisement.ts';
import type { Reputation } from './reputation.ts';

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

/** By the pair's precision (interface, "Encoding rule"). */
function scaled(amount: Decimal, { precision }: Currency): string {
  return scaledText(decimalText(amount), precision);
}

export function advertisementBody(advertisement: Advertisement, reputation: Reputation): object {
  return { ...advertisementSummary(advertisement, reputation), trades: advertisement.trades.map(p2pTradeBody) };
}
