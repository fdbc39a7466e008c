/**
 * Balances, fees and dictionaries (wire profile, "Balances", "Fee").
 */
import { decimalText } from '../../model/money.ts';
import { currencies } from '../core/instruments.ts';
import { refuse } from '../core/refusal.ts';
import { ok, type PrivateRoutes } from './route.ts';

export const accountRoutes: PrivateRoutes = {
  balances: ({ exchange, user }) => ok(exchange.accounts.rows(user.userId)),

  fees: ({ exchange: { markets }, user, query }) => {
    const symbol = query.optionalText('symbol');
    if (symbol !== undefined && !markets.has(symbol)) {
      return refuse('unknown_symbol', `there is no instrument ${symbol}`, 'symbol');
    }
    const { maker, taker } = user.trader.fees;
    const symbols = symbol === undefined ? [...markets.keys()] : [symbol];
    return ok(symbols.map((each) => ({ symbol: each, maker: decimalText(maker), taker: decimalText(taker) })));
  },

  assets: () => ok(currencies),
};
