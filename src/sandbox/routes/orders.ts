/** Orders and own trades. Answers show the state after the request. */
import type { Market } from '../../model/market/instrument.ts';
import { dec } from '../../model/numbers/money.ts';
import type { KeyRefusalCode } from '../../exchange/interface/refusals.ts';
import { marketsOf } from '../authentication.ts';
import { orderReport, type OrderRecord } from '../core/orders/order-record.ts';
import { isRefusal, type Refusal } from '../core/refusal.ts';
import type { DerivativeOrderRequest } from '../core/futures/trading.ts';
import type { OrderFilter, SpotOrderRequest } from '../core/orders/own-orders.ts';
import { BadRequest, type Fields } from '../fields.ts';
import { keyRefusalReply } from '../reply.ts';
import {
  answer,
  ok,
  okPage,
  readPage,
  type PrivateHandler,
  type PrivateRequest,
  type PrivateRoutes,
  type RouteAnswer,
  type RouteRequest,
} from './route.ts';

const CANCEL_MAX = 1000;
const FORBIDDEN = 'insufficient_permissions' satisfies KeyRefusalCode;
const CLIENT_ORDER_ID = /^[\x21-\x7e]{1,64}$/;

function readClientOrderId(body: Fields): string | undefined {
  const clientOrderId = body.optionalText('clientOrderId');
  if (clientOrderId === undefined || CLIENT_ORDER_ID.test(clientOrderId)) return clientOrderId;
  throw new BadRequest('clientOrderId must be 1 to 64 printable characters', 'clientOrderId');
}

function readOrder({ body, exchange }: PrivateRequest): SpotOrderRequest {
  const symbol = body.text('symbol');
  const side = body.oneOf('side', ['buy', 'sell']);
  const type = body.oneOf('type', ['limit', 'market']);
  const timeInForce = body.optionalOneOf('timeInForce', ['gtc', 'ioc']) ?? (type === 'limit' ? 'gtc' : 'ioc');
  const price = type === 'limit' ? body.decimal('price') : null;
  if (type === 'market' && body.has('price')) throw new BadRequest('a market order has no price', 'price');
  if (price !== null && dec(price).isZero()) throw new BadRequest('price must be above zero', 'price');
  const clientOrderId = exchange.clientOrderIds ? readClientOrderId(body) : undefined;
  return { symbol, side, type, timeInForce, price, quantity: body.decimal('quantity'), clientOrderId };
}

function readDerivativeOrder(request: PrivateRequest): DerivativeOrderRequest {
  const { body } = request;
  const positionSide = body.optionalOneOf('positionSide', ['both', 'long', 'short']);
  return { ...readOrder(request), positionSide, reduceOnly: body.optionalBoolean('reduceOnly') };
}

/** After the margin check, which may cancel it. */
function answerPlaced({ exchange, now }: RouteRequest, record: OrderRecord | Refusal): RouteAnswer {
  if (!isRefusal(record) && record.isActive) exchange.futures.check(now);
  return answer(record, orderReport);
}

function readFilter({ query, caller }: PrivateRequest): OrderFilter {
  const market = query.optionalOneOf('market', ['spot', 'derivative']);
  const visible = marketsOf(caller, 'read_only');
  const markets = new Set<Market>([...visible].filter((each) => market === undefined || each === market));
  return { symbol: query.optionalText('symbol'), markets };
}

function tradesOf(market: Market): PrivateHandler {
  return ({ exchange, user, query }) =>
    ok(exchange.orders.trades(user.trader, market, query.optionalText('symbol'), readPage(query)));
}

/** Whether the key may see the order's market but not change it. */
function isOnlySeen(
  { exchange, caller, user }: PrivateRequest,
  { code }: { readonly code: string },
  orderId: string,
): boolean {
  const filter = { markets: marketsOf(caller, 'read_only') };
  return code === 'unknown_order' && !isRefusal(exchange.orders.find(user.trader, orderId, filter));
}

export const orderRoutes: PrivateRoutes = {
  createSpotOrder: (request) => {
    const { exchange, user, now } = request;
    return answerPlaced(request, exchange.placeSpot(user.trader, readOrder(request), now));
  },

  createDerivativeOrder: (request) => {
    const { exchange, user, now } = request;
    return answerPlaced(request, exchange.futures.trading.place(user.trader, readDerivativeOrder(request), now));
  },

  activeOrders: (request) =>
    ok(request.exchange.orders.active(request.user.trader, readFilter(request)).map(orderReport)),

  orderHistory: (request) => {
    const { exchange, user, query } = request;
    return okPage(exchange.orders.ended(user.trader, readFilter(request), readPage(query)), orderReport);
  },

  order: ({ exchange, caller, user, params }) => {
    const filter = { markets: marketsOf(caller, 'read_only') };
    return answer(exchange.orders.find(user.trader, params['orderId'] ?? '', filter), orderReport);
  },

  cancelOrder: (request) => {
    const { exchange, caller, user, params, now } = request;
    const orderId = params['orderId'] ?? '';
    const filter = { markets: marketsOf(caller, 'full') };
    if (request.cancelsNothing)
      return answer(exchange.orders.find(user.trader, orderId, filter), (order) => ({
        ...orderReport(order),
        status: 'canceled',
      }));
    const record = exchange.orders.cancel(user.trader, orderId, filter, now);
    if (isRefusal(record) && isOnlySeen(request, record, orderId)) return keyRefusalReply(FORBIDDEN);
    return answer(record, orderReport);
  },

  cancelManyOrders: (request) => {
    const { exchange, caller, user, body, now } = request;
    const orderIds = body.has('orderIds') ? body.texts('orderIds', CANCEL_MAX) : null;
    const filter = { symbol: body.optionalText('symbol'), markets: marketsOf(caller, 'full') };
    if (request.cancelsNothing && orderIds !== null) return ok({ canceled: orderIds, failed: [] });
    const { canceled, failed } = exchange.orders.cancelMany(user.trader, orderIds, filter, now);
    const told = failed.map((each) => (isOnlySeen(request, each, each.orderId) ? { ...each, code: FORBIDDEN } : each));
    return ok({ canceled, failed: told });
  },

  spotTrades: tradesOf('spot'),
  derivativeTrades: tradesOf('derivative'),
};
