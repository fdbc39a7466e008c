/**
 * Orders and own trades (wire profile, "Create spot order", "Create futures order", "Own trade"). Every answer is the state after the request.
 */
import type { Market } from '../../model/instrument.ts';
import { dec } from '../../model/money.ts';
import type { KeyRefusalCode } from '../../exchange/interface/refusals.ts';
import { changeableMarkets, visibleMarkets } from '../authentication.ts';
import { orderReport, type OrderRecord } from '../core/order-record.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { DerivativeOrderRequest } from '../core/futures/trading.ts';
import type { SpotOrderRequest } from '../core/order-grid.ts';
import type { OrderFilter } from '../core/own-orders.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { keyRefusalReply } from '../reply.ts';
import { ok, readPage, type PrivateRequest, type PrivateRoutes, type RouteAnswer, type RouteRequest } from './route.ts';

const CANCEL_MAX = 1000;
const FORBIDDEN = 'insufficient_permissions' satisfies KeyRefusalCode;
const forbidden: RouteAnswer = { kind: 'reply', reply: keyRefusalReply(FORBIDDEN) };
const CLIENT_ORDER_ID = /^[\x21-\x7e]{1,64}$/;

function readClientOrderId(body: Fields): string | undefined {
  const clientOrderId = body.optionalText('clientOrderId');
  if (clientOrderId === undefined || CLIENT_ORDER_ID.test(clientOrderId)) return clientOrderId;
  throw new BadRequest('clientOrderId must be 1 to 64 printable characters', 'clientOrderId');
}

function readOrder({ body, shell }: PrivateRequest): SpotOrderRequest {
  const symbol = body.text('symbol');
  const side = body.oneOf('side', ['buy', 'sell']);
  const type = body.oneOf('type', ['limit', 'market']);
  const timeInForce = body.optionalOneOf('timeInForce', ['gtc', 'ioc']) ?? (type === 'limit' ? 'gtc' : 'ioc');
  const price = type === 'limit' ? body.decimal('price') : null;
  if (type === 'market' && body.has('price')) throw new BadRequest('a market order has no price', 'price');
  if (price !== null && dec(price).isZero()) throw new BadRequest('price must be above zero', 'price');
  const clientOrderId = shell.exchange.clientOrderIds ? readClientOrderId(body) : undefined;
  return { symbol, side, type, timeInForce, price, quantity: body.decimal('quantity'), clientOrderId };
}

function readDerivativeOrder(request: PrivateRequest): DerivativeOrderRequest {
  const { body } = request;
  const positionSide = body.optionalOneOf('positionSide', ['both', 'long', 'short']);
  return { ...readOrder(request), positionSide, reduceOnly: body.optionalBoolean('reduceOnly') };
}

function answer(record: OrderRecord | Refusal): RouteAnswer {
  return isRefusal(record) ? record : ok(orderReport(record));
}

/** A new order as it is once margins were looked at: what it locks may be what a position needs. */
function answerPlaced({ shell, now }: RouteRequest, record: OrderRecord | Refusal): RouteAnswer {
  if (!isRefusal(record) && record.isActive) shell.exchange.futures.check(now);
  return answer(record);
}

/** Narrows what the caller may see by `symbol` and `market` of the query. */
function readFilter({ query, caller }: PrivateRequest): OrderFilter {
  const market = query.optionalOneOf('market', ['spot', 'derivative']);
  const visible = visibleMarkets(caller);
  const markets = new Set<Market>([...visible].filter((each) => market === undefined || each === market));
  return { symbol: query.optionalText('symbol'), markets };
}

function tradesOf(market: Market): (request: PrivateRequest) => RouteAnswer {
  return ({ shell, caller, query }) => {
    const { trader } = caller.user;
    return ok(shell.exchange.orders.trades(trader, market, query.optionalText('symbol'), readPage(query)));
  };
}

/** Whether an order is unknown to the markets that the key may change alone: it may see it. */
function isOnlySeen({ shell, caller }: PrivateRequest, { code }: { readonly code: string }, orderId: string): boolean {
  const filter = { markets: visibleMarkets(caller) };
  return code === 'unknown_order' && !isRefusal(shell.exchange.orders.find(caller.user.trader, orderId, filter));
}

export const orderRoutes: PrivateRoutes = {
  createSpotOrder: (request) => {
    const { shell, caller, now } = request;
    return answerPlaced(request, shell.exchange.spot.place(caller.user.trader, readOrder(request), now));
  },

  createDerivativeOrder: (request) => {
    const { shell, caller, now } = request;
    const { trading } = shell.exchange.futures;
    return answerPlaced(request, trading.place(caller.user.trader, readDerivativeOrder(request), now));
  },

  activeOrders: (request) => {
    const records = request.shell.exchange.orders.active(request.caller.user.trader, readFilter(request));
    return ok(records.map(orderReport));
  },

  orderHistory: (request) => {
    const { shell, caller, query } = request;
    const page = shell.exchange.orders.ended(caller.user.trader, readFilter(request), readPage(query));
    return ok({ items: page.items.map(orderReport), nextCursor: page.nextCursor });
  },

  order: ({ shell, caller, params }) => {
    const filter = { markets: visibleMarkets(caller) };
    return answer(shell.exchange.orders.find(caller.user.trader, params['orderId'] ?? '', filter));
  },

  cancelOrder: (request) => {
    const { shell, caller, params, now } = request;
    const orderId = params['orderId'] ?? '';
    const filter = { markets: changeableMarkets(caller) };
    const record = shell.exchange.orders.cancel(caller.user.trader, orderId, filter, now);
    if (isRefusal(record) && isOnlySeen(request, record, orderId)) return forbidden;
    return answer(record);
  },

  cancelManyOrders: (request) => {
    const { shell, caller, body, now } = request;
    const orderIds = body.has('orderIds') ? body.texts('orderIds', CANCEL_MAX) : null;
    const filter = { symbol: body.optionalText('symbol'), markets: changeableMarkets(caller) };
    const { canceled, failed } = shell.exchange.orders.cancelMany(caller.user.trader, orderIds, filter, now);
    const told = failed.map((each) => (isOnlySeen(request, each, each.orderId) ? { ...each, code: FORBIDDEN } : each));
    return ok({ canceled, failed: told });
  },

  spotTrades: tradesOf('spot'),
  derivativeTrades: tradesOf('derivative'),
};
