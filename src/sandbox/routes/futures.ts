/** Positions and their settings (assumed). Answers show the state after the request. */
import { orderReport } from '../core/orders/order-record.ts';
import { answer, ok, okPage, readPage, type PrivateRoutes } from './route.ts';

const LEVERAGE_TEXT_MAX = 1e9;

export const futuresRoutes: PrivateRoutes = {
  positions: ({ exchange, user, query }) => ok(exchange.futures.positions(user.trader, query.optionalText('symbol'))),

  closedPositions: ({ exchange, user, query }) =>
    ok(exchange.futures.closedPositions(user.trader, query.optionalText('symbol'), readPage(query))),

  closedPositionOrders: ({ exchange, user, query }) => {
    const symbol = query.optionalText('symbol');
    return okPage(exchange.futures.closedPositionOrders(user.trader, symbol, readPage(query)), orderReport);
  },

  closePosition: ({ exchange, user, body, now }) => {
    const symbol = body.text('symbol');
    const positionSide = body.optionalOneOf('positionSide', ['both', 'long', 'short']) ?? 'both';
    const request = { symbol, positionSide, quantity: body.optionalDecimal('quantity') };
    return answer(exchange.futures.trading.close(user.trader, request, now), orderReport);
  },

  setLeverage: ({ exchange, user, body }) => {
    const symbol = body.text('symbol');
    const leverage = body.integer('leverage', 1, LEVERAGE_TEXT_MAX);
    const refusal = exchange.futures.settings.setLeverage(user.trader, symbol, leverage);
    return refusal ?? ok({ symbol, leverage: String(leverage) });
  },

  setMarginType: ({ exchange, user, body }) => {
    const symbol = body.text('symbol');
    const marginType = body.oneOf('marginType', ['isolated', 'cross']);
    const refusal = exchange.futures.settings.setMarginType(user.trader, symbol, marginType);
    return refusal ?? ok({ symbol, marginType });
  },

  setPositionMode: ({ exchange, user, body }) => {
    const mode = body.oneOf('mode', ['one-way', 'hedge']);
    return exchange.futures.settings.setMode(user.trader, mode) ?? ok({ mode });
  },
};
