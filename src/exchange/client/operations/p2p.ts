/**
 * P2P over REST: advertisements and trades. Amounts are decimal texts; scaled integers exist on the wire alone. After an
 * unknown outcome look at `myAdvertisements` or `myTrades` before anything is repeated; the money itself is told by the
 * balances of the `p2p` account.
 */
import type { Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import type { EndpointName } from '../../interface/endpoints.ts';
import type { AdvertisementStatus } from '../../interface/states.ts';
import { advertisementSchema, p2pTradeSchema, p2pUserSchema, paymentMethodSchema } from '../../wire/p2p.ts';
import type { Advertisement, P2pTrade, P2pUser, PaymentMethod } from '../../../model/p2p.ts';
import { p2pMarketSchema } from '../../wire/p2p-market.ts';
import type { P2pMarket } from '../../../model/p2p.ts';
import { readList, readObject, type Answer } from './answer.ts';
import { checkedAmount, sendMoney, type MoneyPorts, type OnMoneyOutcome, type Refused } from './money.ts';
import type { Dispatch } from './orders.ts';
import { readPages } from './pages.ts';

export interface AdvertisementTerms {
  /** Decimal texts above zero: price in quote, amount of base, limits of one deal in quote. */
  readonly price: string;
  readonly amount: string;
  readonly minLimit: string;
  readonly maxLimit: string;
  readonly paymentMethodIds: readonly string[];
  readonly comment?: string;
}

export interface AdvertisementRequest extends AdvertisementTerms {
  readonly marketId: string;
  /** The maker's: `sell` sells base. */
  readonly side: 'buy' | 'sell';
}

export interface TradeRequest {
  readonly advertisementId: string;
  /** Decimal text above zero, of base. */
  readonly amount: string;
  readonly paymentMethodId: string;
}

type OnAdvertisement = OnMoneyOutcome<Advertisement>;
type OnTrade = OnMoneyOutcome<P2pTrade>;
type MoveAdvertisement = (advertisementId: string, dispatch: Dispatch, done: OnAdvertisement) => void;
type MoveTrade = (tradeId: string, dispatch: Dispatch, done: OnTrade) => void;

export interface P2pOperations {
  markets(): Promise<Answer<readonly P2pMarket[]>>;
  profile(): Promise<Answer<P2pUser>>;
  paymentMethods(): Promise<Answer<readonly PaymentMethod[]>>;
  /** Active advertisements of everybody, newest first; pages to the end. */
  advertisements(filter: { marketId?: string; side?: 'buy' | 'sell' }): Promise<Reading<Advertisement>>;
  myAdvertisements(status?: AdvertisementStatus): Promise<Reading<Advertisement>>;
  advertisement(advertisementId: string): Promise<Answer<Advertisement>>;
  /** Refusals: `price_out_of_bounds`, `off_tick`, `below_minimum`, `above_maximum`, `limit_reached`, `insufficient_balance`. */
  advertise(request: AdvertisementRequest, dispatch: Dispatch, done: OnAdvertisement): void;
  /** Only while deactivated: `illegal_transition` otherwise. Refusals as of `advertise`, and `not_owner`. */
  edit(advertisementId: string, change: Partial<AdvertisementTerms>, dispatch: Dispatch, done: OnAdvertisement): void;
  /** Refusals of these three: `illegal_transition`, `not_owner`, `limit_reached`. */
  readonly activate: MoveAdvertisement;
  readonly deactivate: MoveAdvertisement;
  readonly delete: MoveAdvertisement;
  myTrades(): Promise<Reading<P2pTrade>>;
  trade(tradeId: string): Promise<Answer<P2pTrade>>;
  /** Refusals: `insufficient_balance`, `below_minimum`, `above_maximum`, `limit_reached`, `illegal_transition`. */
  respond(request: TradeRequest, dispatch: Dispatch, done: OnTrade): void;
  /** Refusals of these: `illegal_transition`, `not_owner`. The maker's, within 10 minutes. */
  readonly start: MoveTrade;
  /** The buyer's: the fiat is on its way. */
  readonly pay: MoveTrade;
  readonly cancel: MoveTrade;
  /** The seller's: releases the escrow for good. Only after the fiat has arrived. */
  readonly confirm: MoveTrade;
  dispute(tradeId: string, reason: string, dispatch: Dispatch, done: OnTrade): void;
}

const decimalFields = ['price', 'amount', 'minLimit', 'maxLimit'] as const;

/** The terms in canonical text, and what is wrong with them. */
function checkedTerms<T extends Partial<AdvertisementTerms>>(terms: T): { terms: T; invalid: Refused | null } {
  const canonical: Record<string, string> = {};
  let invalid: Refused | null = null;
  for (const field of decimalFields) {
    const value = terms[field];
    if (value === undefined) continue;
    const checked = checkedAmount(value);
    canonical[field] = checked.amount;
    if (checked.invalid !== null) {
      invalid ??= { ...checked.invalid, field, message: checked.invalid.message.replace('amount', field) };
    }
  }
  return { terms: { ...terms, ...canonical }, invalid };
}

function createAdvertisementOperations(
  ports: MoneyPorts,
): Pick<P2pOperations, 'advertise' | 'edit' | 'activate' | 'deactivate' | 'delete'> {
  const schema = advertisementSchema;
  const move =
    (endpoint: EndpointName, status: AdvertisementStatus): MoveAdvertisement =>
    (advertisementId, dispatch, done) => {
      const repeats = { advertisementId, status };
      sendMoney(ports, { endpoint, params: { id: advertisementId }, schema, repeats }, dispatch, done);
    };
  return {
    advertise(request, dispatch, done) {
      const { terms: body, invalid } = checkedTerms(request);
      const { side, price, amount: availableAmount, minLimit, maxLimit } = body;
      const repeats = { side, price, availableAmount, minLimit, maxLimit };
      sendMoney(ports, { endpoint: 'p2pCreateAdvertisement', body, schema, repeats, invalid }, dispatch, done);
    },
    edit(advertisementId, change, dispatch, done) {
      const { terms: body, invalid } = checkedTerms(change);
      const { price, amount: availableAmount } = body;
      const repeats = {
        advertisementId,
        ...(price === undefined ? {} : { price }),
        ...(availableAmount === undefined ? {} : { availableAmount }),
      };
      const params = { id: advertisementId };
      sendMoney(ports, { endpoint: 'p2pEditAdvertisement', params, body, schema, repeats, invalid }, dispatch, done);
    },
    activate: move('p2pActivateAdvertisement', 'active'),
    deactivate: move('p2pDeactivateAdvertisement', 'deactivated'),
    delete: move('p2pDeleteAdvertisement', 'canceled'),
  };
}

function createTradeOperations(
  ports: MoneyPorts,
): Pick<P2pOperations, 'respond' | 'start' | 'pay' | 'cancel' | 'confirm' | 'dispute'> {
  const schema = p2pTradeSchema;
  const move =
    (endpoint: EndpointName, expected: Partial<P2pTrade>): MoveTrade =>
    (tradeId, dispatch, done) =>
      sendMoney(ports, { endpoint, body: { tradeId }, schema, repeats: { tradeId, ...expected } }, dispatch, done);
  return {
    respond({ advertisementId, amount: asked, paymentMethodId }, dispatch, done) {
      const { amount, invalid } = checkedAmount(asked);
      const body = { advertisementId, amount, paymentMethodId };
      const repeats = { advertisementId, paymentMethodId };
      sendMoney(ports, { endpoint: 'p2pCreateTrade', body, schema, repeats, invalid }, dispatch, done);
    },
    start: move('p2pStartTrade', { status: 'open' }),
    pay: move('p2pPayTrade', { status: 'send-payment-document' }),
    cancel: move('p2pCancelTrade', { status: 'cancel' }),
    // The document does not show the state that follows.
    confirm: move('p2pConfirmTrade', {}),
    dispute(tradeId, reason, dispatch, done) {
      const repeats = { tradeId, status: 'dispute:open' } as const;
      sendMoney(ports, { endpoint: 'p2pDisputeTrade', body: { tradeId, reason }, schema, repeats }, dispatch, done);
    },
  };
}

export function createP2pOperations(ports: MoneyPorts, lane: Lane): P2pOperations {
  const { http, clock } = ports;
  return Object.freeze({
    ...createAdvertisementOperations(ports),
    ...createTradeOperations(ports),
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
