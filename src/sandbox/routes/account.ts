/**
 * Balances, fees and dictionaries (wire profile, "Balances", "Fee").
 */
import { decimalText } from '../../model/money.ts';
import { currencies } from '../core/instruments.ts';
import { refuse } from '../core/refusal.ts';
import { ok, type PrivateRoutes } from './route.ts';

export const accountRoutes: PrivateRoutes = {
  balances: ({ shell, caller }) => ok(shell.exchange.accounts.rows(caller.user.userId)),

  fees: ({ shell, caller, query }) => {
    const symbol = query.optionalText('symbol');
    const { markets } = shell.exchange;
    if (symbol !== undefined && !markets.has(symbol)) {
      return refuse('unknown_symbol', `there is no instrument ${symbol}`, 'symbol');
    }
    const { maker, taker } = caller.user.trader.fees;
    const symbols = symbol === undefined ? [...markets.keys()] : [symbol];
    return ok(symbols.map((each) => ({ symbol: each, maker: decimalText(maker), taker: decimalText(taker) })));
  },

  assets: () => ok(currencies),
};
