/** Position sizing: exact quantity text in complete lots, rounded down; `'0'` below the instrument's smallest order. */
import type { Instrument } from '../../model/market/instrument.ts';
import { decimalOrNull, smaller, ONE, ZERO, type Decimal, type DecimalLike } from '../../model/numbers/money.ts';
import { strategyErrors } from '../errors.ts';

export interface FixedRiskInput {
  /** In the quote or settlement currency. */
  readonly equity: DecimalLike;
  /** Part of the equity that may be lost at the stop, 0 to 1. */
  readonly fraction: DecimalLike;
  readonly entry: DecimalLike;
  readonly stop: DecimalLike;
  readonly instrument: Instrument;
}

export interface VolatilityInput {
  readonly equity: DecimalLike;
  /** Volatility of the equity that is aimed at, over the same time as `volatility`; both fractions. */
  readonly target: DecimalLike;
  readonly volatility: DecimalLike;
  readonly price: DecimalLike;
  readonly instrument: Instrument;
}

export interface KellyInput {
  /** 0 to 1. */
  readonly winRate: DecimalLike;
  /** Average win ÷ average loss. */
  readonly payoff: DecimalLike;
  /** Highest part of the equity, 0 to 1. */
  readonly cap: DecimalLike;
  readonly equity: DecimalLike;
  readonly price: DecimalLike;
  readonly instrument: Instrument;
}

function amount(name: string, value: DecimalLike, most?: Decimal): Decimal {
  const exact = decimalOrNull(value);
  if (exact !== null && !exact.isNegative() && (most === undefined || exact.lte(most))) return exact;
  const range = most === undefined ? 'of at least 0' : 'from 0 to 1';
  throw strategyErrors.make('strategy_size_invalid', `size: ${name} must be a number ${range}, got ${String(value)}`, {
    name,
  });
}

function positive(name: string, value: DecimalLike): Decimal {
  const exact = amount(name, value);
  if (exact.gt(ZERO)) return exact;
  throw strategyErrors.make('strategy_size_invalid', `size: ${name} must be above 0`, { name });
}

/** The most lots of which `each` base unit costs no more than `budget` together, at most the largest order. */
function lotsWithin(budget: Decimal, each: Decimal, price: Decimal, instrument: Instrument): string {
  const lot = instrument.exactQuantity(1).times(instrument.contractSize).times(each);
  let lots = smaller(budget.div(lot).floor(), instrument.maxQuantity.div(instrument.exactQuantity(1)).floor());
  // The division is rounded.
  if (lots.times(lot).gt(budget)) lots = lots.minus(ONE);
  const quantity = lots.times(instrument.exactQuantity(1));
  const notional = quantity.times(instrument.contractSize).times(price);
  const least = quantity.gt(ZERO) && quantity.gte(instrument.minQuantity) && notional.gte(instrument.minNotional);
  return least ? quantity.toFixed() : '0';
}

export const size = Object.freeze({
  /** Loses at most `fraction` of the equity between entry and stop, before fees and slippage. */
  fixedRisk({ equity, fraction, entry, stop, instrument }: FixedRiskInput): string {
    const budget = amount('equity', equity).times(amount('fraction', fraction, ONE));
    const from = positive('entry', entry);
    const distance = from.minus(positive('stop', stop)).abs();
    return lotsWithin(budget, positive('the distance from entry to stop', distance), from, instrument);
  },
  /** Notional = equity × target ÷ volatility. */
  volatility({ equity, target, volatility, price, instrument }: VolatilityInput): string {
    const at = positive('price', price);
    const budget = amount('equity', equity).times(amount('target', target));
    return lotsWithin(budget, at.times(positive('volatility', volatility)), at, instrument);
  },
  /** Kelly (1956): part of the equity = winRate − (1 − winRate) ÷ payoff, from 0 to `cap`. */
  kelly({ winRate, payoff, cap, equity, price, instrument }: KellyInput): string {
    const wins = amount('winRate', winRate, ONE);
    const edge = wins.minus(ONE.minus(wins).div(positive('payoff', payoff)));
    const part = smaller(edge, amount('cap', cap, ONE));
    const at = positive('price', price);
    const budget = amount('equity', equity).times(part.isNegative() ? ZERO : part);
    return lotsWithin(budget, at, at, instrument);
  },
});
