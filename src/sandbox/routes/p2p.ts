/** P2P routes. Inactive advertisements are hidden from users without a trade in them (assumed). */
import { advertisementStatuses } from '../../exchange/interface/states.ts';
import { dec, type Decimal } from '../../model/numbers/money.ts';
import { advertisementBody } from '../core/p2p/trade.ts';
import { advertisementSummary, type Advertisement, type AdvertisementTerms } from '../core/p2p/advertisement.ts';
import { p2pMarketBody, paymentMethods, type P2pMarket } from '../core/p2p/markets.ts';
import { isParty, p2pTradeBody } from '../core/p2p/trade.ts';
import type { P2pTrade } from '../core/p2p/advertisement.ts';
import type { UserTrigger } from '../core/p2p/trades.ts';
import { pageOf } from '../core/history.ts';
import type { Refusal } from '../core/refusal.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { notFoundReply, type Reply } from '../reply.ts';
import { answer, ok, okPage, readPage, type PrivateHandler, type PrivateRequest, type PrivateRoutes } from './route.ts';

const SIDES = ['buy', 'sell'] as const;

function readMarket(markets: readonly P2pMarket[], fields: Fields): P2pMarket {
  const marketId = fields.text('marketId');
  const market = markets.find((each) => each.marketId === marketId);
  if (market === undefined) throw new BadRequest(`there is no P2P pair ${marketId}`, 'marketId');
  return market;
}

function readDecimal(fields: Fields, name: string, precision: number): Decimal {
  const value = dec(fields.decimal(name));
  if (value.decimalPlaces() > precision) throw new BadRequest(`${name} has more than ${precision} decimals`, name);
  return value;
}

function readPaymentMethods(body: Fields): readonly string[] {
  const ids = body.texts('paymentMethodIds', paymentMethods.length);
  if (ids.length > 0 && ids.every((id) => paymentMethods.some((method) => method.id === id))) return ids;
  throw new BadRequest('paymentMethodIds must name at least one payment method', 'paymentMethodIds');
}

function readTerms(body: Fields, { base, quote }: P2pMarket): AdvertisementTerms {
  return {
    price: dec(body.decimal('price')),
    amount: readDecimal(body, 'amount', base.precision),
    minLimit: readDecimal(body, 'minLimit', quote.precision),
    maxLimit: readDecimal(body, 'maxLimit', quote.precision),
    paymentMethodIds: readPaymentMethods(body),
    comment: body.optionalNote('comment') ?? '',
  };
}

function readChange(body: Fields, { base, quote }: P2pMarket): Partial<AdvertisementTerms> {
  const comment = body.optionalNote('comment');
  return {
    ...(body.has('price') ? { price: dec(body.decimal('price')) } : {}),
    ...(body.has('amount') ? { amount: readDecimal(body, 'amount', base.precision) } : {}),
    ...(body.has('minLimit') ? { minLimit: readDecimal(body, 'minLimit', quote.precision) } : {}),
    ...(body.has('maxLimit') ? { maxLimit: readDecimal(body, 'maxLimit', quote.precision) } : {}),
    ...(body.has('paymentMethodIds') ? { paymentMethodIds: readPaymentMethods(body) } : {}),
    ...(comment === undefined ? {} : { comment }),
  };
}

function isVisible({ maker, status, trades }: Advertisement, { user }: PrivateRequest): boolean {
  return maker === user || status === 'active' || trades.some((trade) => isParty(trade, user));
}

function onAdvertisement(
  change: (request: PrivateRequest, advertisement: Advertisement) => Refusal | undefined,
): PrivateHandler {
  return (request) => {
    const { advertisements, reputation } = request.exchange.money.p2p;
    const id = request.params['id'] ?? '';
    const advertisement = advertisements.find(id);
    if (advertisement === undefined || !isVisible(advertisement, request)) {
      return notFoundReply(`there is no advertisement ${id}`);
    }
    return change(request, advertisement) ?? ok(advertisementBody(advertisement, reputation));
  };
}

function moveAdvertisement(trigger: 'activate' | 'deactivate' | 'delete'): PrivateHandler {
  return onAdvertisement(({ exchange, user, now }, advertisement) =>
    exchange.money.p2p.advertisements.move(user, advertisement, trigger, now),
  );
}

function findTrade({ exchange, user }: PrivateRequest, tradeId: string): P2pTrade | Reply {
  const trade = exchange.money.p2p.trades.find(tradeId);
  if (trade === undefined || !isParty(trade, user)) return notFoundReply(`there is no trade ${tradeId}`);
  return trade;
}

function moveTrade(trigger: UserTrigger): PrivateHandler {
  return (request) => {
    const { exchange, user, body, now } = request;
    const trade = findTrade(request, body.text('tradeId'));
    if ('headers' in trade) return trade;
    const reason = trigger === 'dispute' ? body.optionalNote('reason') : undefined;
    return exchange.money.p2p.trades.move(user, trade, trigger, now, reason) ?? ok(p2pTradeBody(trade));
  };
}

export const p2pRoutes: PrivateRoutes = {
  p2pAdvertisements: ({ exchange, query }) => {
    const { advertisements, markets, reputation } = exchange.money.p2p;
    const market = query.has('marketId') ? readMarket(markets, query) : undefined;
    const side = query.optionalOneOf('side', SIDES);
    const isWanted = (each: Advertisement): boolean =>
      each.status === 'active' && (market ?? each.market) === each.market && (side ?? each.side) === each.side;
    const page = pageOf(advertisements.all, readPage(query), 'createdAt', isWanted);
    return okPage(page, (each) => advertisementSummary(each, reputation));
  },

  p2pMyAdvertisements: ({ exchange, user, query }) => {
    const { advertisements, reputation } = exchange.money.p2p;
    const status = query.optionalOneOf('status', advertisementStatuses);
    const own = advertisements.ownedBy(user).toReversed();
    const wanted = own.filter((each) => (status ?? each.status) === each.status);
    return ok(wanted.map((each) => advertisementBody(each, reputation)));
  },

  p2pAdvertisement: onAdvertisement(() => undefined),

  p2pCreateAdvertisement: ({ exchange, user, body, now }) => {
    const { advertisements, markets, reputation } = exchange.money.p2p;
    const market = readMarket(markets, body);
    const wanted = { market, side: body.oneOf('side', SIDES), ...readTerms(body, market) };
    return answer(advertisements.create(user, wanted, now), (made) => advertisementBody(made, reputation));
  },

  p2pEditAdvertisement: onAdvertisement(({ exchange, user, body, now }, advertisement) => {
    const change = readChange(body, advertisement.market);
    return exchange.money.p2p.advertisements.edit(user, advertisement, change, now);
  }),

  p2pActivateAdvertisement: moveAdvertisement('activate'),
  p2pDeactivateAdvertisement: moveAdvertisement('deactivate'),
  p2pDeleteAdvertisement: moveAdvertisement('delete'),

  p2pCreateTrade: ({ exchange, user, body, now }) => {
    const { advertisements, trades } = exchange.money.p2p;
    const advertisementId = body.text('advertisementId');
    const advertisement = advertisements.find(advertisementId);
    if (advertisement === undefined) return notFoundReply(`there is no advertisement ${advertisementId}`);
    const response = {
      advertisement,
      amount: readDecimal(body, 'amount', advertisement.market.base.precision),
      paymentMethodId: body.text('paymentMethodId'),
    };
    return answer(trades.respond(user, response, now), p2pTradeBody);
  },

  p2pMyTrades: ({ exchange, user }) => ok(exchange.money.p2p.trades.ofUser(user).map(p2pTradeBody)),

  p2pTrade: (request) => {
    const trade = findTrade(request, request.params['id'] ?? '');
    return 'headers' in trade ? trade : ok(p2pTradeBody(trade));
  },

  p2pStartTrade: moveTrade('start'),
  p2pPayTrade: moveTrade('pay'),
  p2pCancelTrade: moveTrade('cancel'),
  p2pConfirmTrade: moveTrade('confirm'),
  p2pDisputeTrade: moveTrade('dispute'),

  p2pMarkets: ({ exchange }) => ok(exchange.money.p2p.markets.map(p2pMarketBody)),
  p2pProfile: ({ exchange, user }) => ok(exchange.money.p2p.reputation.body(user)),
  p2pPaymentMethods: () => ok(paymentMethods),
};
