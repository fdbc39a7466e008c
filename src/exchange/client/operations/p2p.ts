/** P2P advertisements and trades. Amounts are decimal text. */
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import type { AdvertisementStatus } from '../../interface/states.ts';
import { advertisementSchema, p2pTradeSchema, p2pUserSchema, paymentMethodSchema } from '../../wire/p2p/p2p.ts';
import type { Advertisement, P2pTrade, P2pUser, PaymentMethod } from '../../../model/funds/p2p.ts';
import { p2pMarketSchema } from '../../wire/p2p/p2p-market.ts';
import type { P2pMarket } from '../../../model/funds/p2p.ts';
import { readList, readObject, type Answer } from './answer.ts';
import type { MoneyPorts } from './money.ts';
import { readPages } from './pages.ts';

export interface P2pOperations {
  markets(): Promise<Answer<readonly P2pMarket[]>>;
  profile(): Promise<Answer<P2pUser>>;
  paymentMethods(): Promise<Answer<readonly PaymentMethod[]>>;
  /** Active ones of all users, newest first. */
  advertisements(filter: { marketId?: string; side?: 'buy' | 'sell' }): Promise<Reading<Advertisement>>;
  myAdvertisements(status?: AdvertisementStatus): Promise<Reading<Advertisement>>;
  advertisement(advertisementId: string): Promise<Answer<Advertisement>>;
  myTrades(): Promise<Reading<P2pTrade>>;
  trade(tradeId: string): Promise<Answer<P2pTrade>>;
}

export function createP2pOperations({ http, clock }: MoneyPorts, lane: Lane): P2pOperations {
  return Object.freeze({
    markets: () => readList(http, { endpoint: 'p2pMarkets', lane }, p2pMarketSchema),
    profile: () => readObject(http, { endpoint: 'p2pProfile', lane }, p2pUserSchema),
    paymentMethods: () => readList(http, { endpoint: 'p2pPaymentMethods', lane }, paymentMethodSchema),
    advertisements: ({ marketId, side }: { marketId?: string; side?: 'buy' | 'sell' }) =>
      readPages(
        http,
        clock,
        { endpoint: 'p2pAdvertisements', lane, query: { marketId, side }, paged: true },
        advertisementSchema,
      ),
    myAdvertisements: (status?: AdvertisementStatus) =>
      readPages(
        http,
        clock,
        { endpoint: 'p2pMyAdvertisements', lane, query: { status }, paged: false },
        advertisementSchema,
      ),
    advertisement: (advertisementId: string) =>
      readObject(http, { endpoint: 'p2pAdvertisement', lane, params: { id: advertisementId } }, advertisementSchema, {
        advertisementId,
      }),
    myTrades: () => readPages(http, clock, { endpoint: 'p2pMyTrades', lane, paged: false }, p2pTradeSchema),
    trade: (tradeId: string) =>
      readObject(http, { endpoint: 'p2pTrade', lane, params: { id: tradeId } }, p2pTradeSchema, { tradeId }),
  });
}
