/** `rebalance`: the fewest trades to the weights, decided once at the prices of the start. Sales first. */
import type { RebalanceAction } from '../model/trading/program.ts';
import type { Side } from '../model/trading/order.ts';
import { over, type ProgramRule, type ProgramView, type Step, type Terms, type Want } from './rule.ts';
import { numberOf, refuse } from './terms.ts';
import { touchOf } from './worked.ts';

interface Trade {
  readonly symbol: string;
  readonly leg: string;
  readonly side: Side;
  readonly lots: number;
}

interface Spec {
  readonly trades: readonly Trade[];
  readonly via: 'market' | 'chase';
}

type Data = null;

function tradesOf({ weights, band }: RebalanceAction, terms: Terms): readonly Trade[] {
  const { reporting } = terms;
  const currencies = Object.keys(weights);
  const sum = currencies.reduce(
    (total, currency) => total + numberOf(weights[currency], `weights.${currency}`, 0, 1),
    0,
  );
  if (sum > 1 + 1e-9) refuse('bad_fraction', `the weights sum to ${sum}, above 1`, 'weights');
  numberOf(band, 'band', 0, 1);
  const held = currencies
    .filter((currency) => currency !== reporting)
    .map((currency) => {
      const symbol = terms.symbols().find((name) => {
        const { market, base, quote } = terms.instrument(name);
        return market === 'spot' && base === currency && quote === reporting;
      });
      if (symbol === undefined) refuse('unknown_symbol', `${currency} is not traded against ${reporting}`, 'weights');
      const instrument = terms.instrument(symbol);
      const { mid } = terms.prices(symbol);
      if (Number.isNaN(mid)) refuse('no_market', `${symbol}: there is no price yet`, 'weights');
      const price = mid * instrument.tick;
      return { symbol, currency, instrument, price, mid, worth: terms.free(currency) * price };
    });
  const equity = held.reduce((total, { worth }) => total + worth, terms.free(reporting));
  const trades = held.flatMap(({ symbol, currency, instrument, price, mid, worth }): readonly Trade[] => {
    const off = equity * (weights[currency] ?? 0) - worth;
    const lots = Math.floor(Math.abs(off) / price / instrument.lot + 1e-9);
    const { minLots, minTickLots } = instrument.limits;
    if (Math.abs(off) <= band * equity || lots < minLots || lots * mid < minTickLots) return [];
    const side = off > 0 ? 'buy' : 'sell';
    return [{ symbol, leg: `${side}:${currency}`, side, lots }];
  });
  return trades.toSorted((one, other) => (one.side === other.side ? 0 : one.side === 'sell' ? -1 : 1));
}

function step(view: ProgramView<Spec, Data>): Step<Data> {
  const { spec, leg, data } = view;
  const most = Object.fromEntries(spec.trades.map(({ leg: name, lots }) => [name, lots]));
  const isDone = ({ leg: name, lots, symbol }: Trade): boolean => {
    const { filled, isOpen } = leg(name);
    const left = lots - filled;
    return left <= 0 || (!isOpen && filled > 0 && left < view.least(view.prices(symbol).mid, symbol));
  };
  const open = spec.trades.filter((trade) => !isDone(trade));
  if (open.length === 0) return over(data, 'done', 'balanced');
  // The sales pay for the purchases.
  const sales = open.filter(({ side }) => side === 'sell');
  const wants = (sales.length > 0 ? sales : open).flatMap(({ symbol, leg: name, side, lots }): readonly Want[] => {
    const { filled, isOpen, ticks: rests } = leg(name);
    const base = { leg: name, side, lots: lots - filled, reduceOnly: false, symbol };
    if (spec.via === 'market') return [{ ...base, ticks: 0 }];
    const touch = touchOf(view.prices(symbol), side);
    const ticks = Number.isNaN(touch) ? rests : touch;
    return isOpen || !Number.isNaN(touch) ? [{ ...base, ticks, postOnly: true }] : [];
  });
  return { data, wants, most, waitsFor: sales.length > 0 ? 'its sales' : 'its purchases' };
}

export const rebalance: ProgramRule<RebalanceAction, Spec, Data> = {
  parse: (action, terms) => {
    const { weights, via = 'market' } = action;
    if (typeof weights !== 'object' || weights === null || Object.keys(weights).length === 0)
      refuse('unsupported', 'weights has a share for each currency', 'weights');
    if (via !== 'market' && via !== 'chase') refuse('unsupported', 'via is market or chase', 'via');
    const trades = tradesOf(action, terms);
    return { symbol: trades[0]?.symbol ?? '', spec: { trades, via }, data: null };
  },
  step,
  hears: ({ trades, via }) =>
    via === 'chase' ? trades.map(({ symbol }) => ({ symbol, source: 'bid-ask' as const })) : [],
  // Quantities of several coins have no sum, so its first trade's are shown.
  quantity: ({ trades }) => trades[0]?.lots ?? null,
  isParent: (leg, { trades }) => leg === trades[0]?.leg,
  groupOf: (leg) => leg,
};
