/** The limits of an order as numbers, in lots and reporting currency; unset is Infinity. */
import type { Instrument } from '../model/instrument.ts';
import type { RiskOptions, StrategyLimits } from './options.ts';
import { protectionsOf, type Protections } from './protections.ts';

type LimitOptions = { readonly [Name in keyof StrategyLimits]?: StrategyLimits[Name] | undefined };

const NONE = Number.POSITIVE_INFINITY;

export function numberOf(text: string | undefined): number {
  return text === undefined ? NONE : Number(text);
}

/** Limits of a strategy, and those that only a trial adds. */
export interface HeldLimits extends StrategyLimits {
  readonly maxOrderEquityFraction?: number;
  readonly symbols?: RiskOptions['symbols'];
}

/** Of one scope. */
export interface Limits {
  readonly allowedSymbols: readonly string[] | undefined;
  readonly maxOrderLots: number;
  readonly maxOrderValue: number;
  readonly maxPositionLots: number;
  readonly maxPositionValue: number;
  readonly maxOpenOrders: number;
  readonly maxOpenNotional: number;
  readonly maxGrossValue: number;
  readonly maxNetValue: number;
  readonly minuteValue: number;
  readonly hourValue: number;
  readonly budget: number;
  /** Of equity. */
  readonly share: number;
  readonly maxDailyLoss: number;
  readonly maxDrawdown: number;
}

export interface OrderLimits {
  /** With the order size and position of the symbol. */
  readonly account: Limits;
  readonly symbol: Limits;
  readonly strategy: Limits;
  /** The strategy's loss is limited. */
  readonly limitsLoss: boolean;
  /** Largest order value as a fraction of equity. */
  readonly equityFraction: { readonly account: number; readonly strategy: number };
  readonly protections: Protections;
  readonly risk: RiskOptions;
}

/** The least of both. */
function limitsOf(instrument: Instrument, own: LimitOptions, ofSymbol: LimitOptions = {}): Limits {
  const least = (name: 'maxOrderQuantity' | 'maxOrderValue' | 'maxPosition' | 'maxPositionValue'): number =>
    Math.min(numberOf(own[name]), numberOf(ofSymbol[name]));
  // A limit between two lots allows the lower one; the tolerance keeps 0.3 / 0.1 at 3.
  const lots = (quantity: number): number => Math.floor(quantity / instrument.lot + 1e-9);
  return {
    allowedSymbols: own.allowedSymbols,
    maxOrderLots: lots(least('maxOrderQuantity')),
    maxOrderValue: least('maxOrderValue'),
    maxPositionLots: lots(least('maxPosition')),
    maxPositionValue: least('maxPositionValue'),
    maxOpenOrders: Math.min(own.maxOpenOrders ?? NONE, ofSymbol.maxOpenOrders ?? NONE),
    maxOpenNotional: numberOf(own.maxOpenNotional),
    maxGrossValue: numberOf(own.maxGrossValue),
    maxNetValue: numberOf(own.maxNetValue),
    minuteValue: numberOf(own.maxOrderValuePerMinute),
    hourValue: numberOf(own.maxOrderValuePerHour),
    budget: numberOf(own.budget),
    share: own.share ?? NONE,
    maxDailyLoss: numberOf(own.maxDailyLoss),
    maxDrawdown: numberOf(own.maxDrawdown),
  };
}

export function orderLimits(instrument: Instrument, risk: RiskOptions, own: HeldLimits): OrderLimits {
  const { maxOpenOrders, maxOpenNotional, ...ofSymbol } = risk.symbols[instrument.symbol] ?? {};
  const strategy = limitsOf(instrument, own, own.symbols?.[instrument.symbol]);
  const { maxOrderEquityFraction: account } = risk;
  return {
    account: limitsOf(instrument, risk, ofSymbol),
    symbol: limitsOf(instrument, { maxOpenOrders, maxOpenNotional }),
    strategy,
    limitsLoss: strategy.maxDailyLoss !== NONE || strategy.maxDrawdown !== NONE,
    equityFraction: { account, strategy: own.maxOrderEquityFraction ?? account },
    protections: protectionsOf(own),
    risk,
  };
}
