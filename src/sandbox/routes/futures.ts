/**
 * Positions and what changes them without an order of the user's own (wire profile, "REST: assumed operations",
 * "Position"). What is changed is answered as it is then. Listing positions by an unknown symbol finds none.
 */
import { orderReport } from '../core/order-record.ts';
import { isRefusal } from '../core/refusal.ts';
import { ok, readPage, type PrivateRoutes } from './route.ts';

const LEVERAGE_TEXT_MAX = 1e9;

export const futuresRoutes: PrivateRoutes = {
  positions: ({ shell, caller, query }) =>
    ok(shell.exchange.futures.positions(caller.user.trader, query.optionalText('symbol'))),

  closedPositions: ({ shell, caller, query }) => {
    const symbol = query.optionalText('symbol');
    return ok(shell.exchange.futures.closedPositions(caller.user.trader, symbol, readPage(query)));
  },

  closedPositionOrders: ({ shell, caller, query }) => {
    const symbol = query.optionalText('symbol');
    const page = shell.exchange.futures.closedPositionOrders(caller.user.trader, symbol, readPage(query));
    return ok({ items: page.items.map(orderReport), nextCursor: page.nextCursor });
  },

  closePosition: ({ shell, caller, body, now }) => {
    const symbol = body.text('symbol');
    const positionSide = body.optionalOneOf('positionSide', ['both', 'long', 'short']) ?? 'both';
    const request = { symbol, positionSide, quantity: body.optionalDecimal('quantity') };
    const record = shell.exchange.futures.trading.close(caller.user.trader, request, now);
    return isRefusal(record) ? record : ok(orderReport(record));
  },

  setLeverage: ({ shell, caller, body }) => {
    const symbol = body.text('symbol');
    const leverage = body.integer('leverage', 1, LEVERAGE_TEXT_MAX);
    const refusal = shell.exchange.futures.settings.setLeverage(caller.user.trader, symbol, leverage);
    return refusal ?? ok({ symbol, leverage: String(leverage) });
  },

  setMarginType: ({ shell, caller, body }) => {
    const symbol = body.text('symbol');
    const marginType = body.oneOf('marginType', ['isolated', 'cross']);
    return (
      shell.exchange.futures.settings.setMarginType(caller.user.trader, symbol, marginType) ??
      ok({ symbol, marginType })
    );
  },

  setPositionMode: ({ shell, caller, body }) => {
    const mode = body.oneOf('mode', ['one-way', 'hedge']);
    return shell.exchange.futures.settings.setMode(caller.user.trader, mode) ?? ok({ mode });
  },
};
