/**
 * P2P (interface, "Advertisement", "Market", "Trade"; wire profile, "REST: assumed operations"). What another user may
 * see of an advertisement that is not active: nothing, unless a trade joins them (assumed).
 */
import { advertisementStatuses } from '../../exchange/interface/states.ts';
import { dec, type Decimal } from '../../model/money.ts';
import {
  advertisementBody,
  advertisementSummary,
  type Advertisement,
  type AdvertisementTerms,
} from '../core/p2p/advertisement.ts';
import { p2pMarketBody, paymentMethods, type P2pMarket } from '../core/p2p/markets.ts';
import type { P2p } from '../core/p2p/p2p.ts';
import { isParty, p2pTradeBody, type P2pTrade } from '../core/p2p/trade.ts';
import type { UserTrigger } from '../core/p2p/trades.ts';
import { pageOf } from '../core/history.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { nothingFound } from './money.ts';
import { ok, readPage, type PrivateRequest, type PrivateRoutes, type RouteAnswer } from './route.ts';

const SIDES = ['buy', 'sell'] as const;

function p2pOf({ shell }: PrivateRequest): P2p {
  return shell.exchange.money.p2p;
}

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
    // The core refuses a price that is too fine.
    price: dec(body.decimal('price')),
    amount: readDecimal(body, 'amount', base.precision),
    minLimit: readDecimal(body, 'minLimit', quote.precision),
    maxLimit: readDecimal(body, 'maxLimit', quote.precision),
    paymentMethodIds: readPaymentMethods(body),
    comment: body.optionalNote('comment') ?? '',
  };
}

/** The terms that the body names. */
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

function isVisible({ maker, status, trades }: Advertisement, { caller: { user } }: PrivateRequest): boolean {
  return maker === user || status === 'active' || trades.some((trade) => isParty(trade, user));
}

function onAdvertisement(
  change: (request: PrivateRequest, advertisement: Advertisement) => Refusal | undefined,
): (request: PrivateRequest) => RouteAnswer {
  return (request) => {
    const p2p = p2pOf(request);
    const id = request.params['id'] ?? '';
    const advertisement = p2p.advertisements.find(id);
    if (advertisement === undefined || !isVisible(advertisement, request)) {
      return nothingFound(`there is no advertisement ${id}`);
    }
    return change(request, advertisement) ?? ok(advertisementBody(advertisement, p2p.reputation));
  };
}

function moveAdvertisement(trigger: 'activate' | 'deactivate' | 'delete'): (request: PrivateRequest) => RouteAnswer {
  return onAdvertisement((request, advertisement) =>
    p2pOf(request).advertisements.move(request.caller.user, advertisement, trigger, request.now),
  );
}

function findTrade(request: PrivateRequest, tradeId: string): P2pTrade | RouteAnswer {
  const trade = p2pOf(request).trades.find(tradeId);
  if (trade === undefined || !isParty(trade, request.caller.user)) return nothingFound(`there is no trade ${tradeId}`);
  return trade;
}

function moveTrade(trigger: UserTrigger): (request: PrivateRequest) => RouteAnswer {
  return (request) => {
    const { caller, body, now } = request;
    const trade = findTrade(request, body.text('tradeId'));
    if ('kind' in trade) return trade;
    const reason = trigger === 'dispute' ? body.optionalNote('reason') : undefined;
    return p2pOf(request).trades.move(caller.user, trade, trigger, now, reason) ?? ok(p2pTradeBody(trade));
  };
}

export const p2pRoutes: PrivateRoutes = {
  p2pAdvertisements: (request) => {
    const { query } = request;
    const { advertisements, markets, reputation } = p2pOf(request);
    const market = query.has('marketId') ? readMarket(markets, query) : undefined;
    const side = query.optionalOneOf('side', SIDES);
    const page = pageOf(
      advertisements.all,
      readPage(query),
      (each) => each.createdAt,
      (each) =>
        each.status === 'active' && (market ?? each.market) === each.market && (side ?? each.side) === each.side,
    );
    const items = page.items.map((each) => advertisementSummary(each, reputation));
    return ok({ items, nextCursor: page.nextCursor });
  },

  p2pMyAdvertisements: (request) => {
    const { advertisements, reputation } = p2pOf(request);
    const status = request.query.optionalOneOf('status', advertisementStatuses);
    const own = advertisements.ownedBy(request.caller.user).toReversed();
    const wanted = own.filter((each) => (status ?? each.status) === each.status);
    return ok(wanted.map((each) => advertisementBody(each, reputation)));
  },

  p2pAdvertisement: onAdvertisement(() => undefined),

  p2pCreateAdvertisement: (request) => {
    const { caller, body, now } = request;
    const { advertisements, markets, reputation } = p2pOf(request);
    const market = readMarket(markets, body);
    const wanted = { market, side: body.oneOf('side', SIDES), ...readTerms(body, market) };
    const made = advertisements.create(caller.user, wanted, now);
    return isRefusal(made) ? made : ok(advertisementBody(made, reputation));
  },

  p2pEditAdvertisement: onAdvertisement((request, advertisement) => {
    const change = readChange(request.body, advertisement.market);
    return p2pOf(request).advertisements.edit(request.caller.user, advertisement, change, request.now);
  }),

  p2pActivateAdvertisement: moveAdvertisement('activate'),
  p2pDeactivateAdvertisement: moveAdvertisement('deactivate'),
  p2pDeleteAdvertisement: moveAdvertisement('delete'),

  p2pCreateTrade: (request) => {
    const { caller, body, now } = request;
    const { advertisements, trades } = p2pOf(request);
    const advertisementId = body.text('advertisementId');
    const advertisement = advertisements.find(advertisementId);
    if (advertisement === undefined) return nothingFound(`there is no advertisement ${advertisementId}`);
    const response = {
      advertisement,
      amount: readDecimal(body, 'amount', advertisement.market.base.precision),
      paymentMethodId: body.text('paymentMethodId'),
    };
    const made = trades.respond(caller.user, response, now);
    return isRefusal(made) ? made : ok(p2pTradeBody(made));
  },

  p2pMyTrades: (request) => ok(p2pOf(request).trades.ofUser(request.caller.user).map(p2pTradeBody)),

  p2pTrade: (request) => {
    const trade = findTrade(request, request.params['id'] ?? '');
    return 'kind' in trade ? trade : ok(p2pTradeBody(trade));
  },

  p2pStartTrade: moveTrade('start'),
  p2pPayTrade: moveTrade('pay'),
  p2pCancelTrade: moveTrade('cancel'),
  p2pConfirmTrade: moveTrade('confirm'),
  p2pDisputeTrade: moveTrade('dispute'),

  p2pMarkets: (request) => ok(p2pOf(request).markets.map(p2pMarketBody)),
  p2pProfile: (request) => ok(p2pOf(request).reputation.body(request.caller.user)),
  p2pPaymentMethods: () => ok(paymentMethods),
};
