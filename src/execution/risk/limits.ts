/** From the options (text, reporting currency) to numbers per strategy and symbol. Pure. */
import type { Instrument } from '../../model/instrument.ts';
import type { RiskOptions, StrategyLimits } from '../options.ts';
import type { Limits } from './facts.ts';

type LimitOptions = RiskOptions['symbols'][string];

const NONE = Number.POSITIVE_INFINITY;

function numberOf(text: string | undefined): number {
  return text === undefined ? NONE : Number(text);
}

function lotsOf(instrument: Instrument, text: string | undefined): number {
  // A limit between two lots allows the lower one; the tolerance keeps 0.3 / 0.1 at 3.
  return text === undefined ? NONE : Math.floor(Number(text) / instrument.lot + 1e-9);
}

function limitsOf(instrument: Instrument, options: LimitOptions): Limits {
  return {
    maxOrderLots: lotsOf(instrument, options.maxOrderQuantity),
    maxOrderValue: numberOf(options.maxOrderValue),
    maxPositionLots: lotsOf(instrument, options.maxPosition),
    maxPositionValue: numberOf(options.maxPositionValue),
    maxOpenOrders: options.maxOpenOrders ?? NONE,
  };
}

function tighter(a: Limits, b: Limits): Limits {
  return {
    maxOrderLots: Math.min(a.maxOrderLots, b.maxOrderLots),
    maxOrderValue: Math.min(a.maxOrderValue, b.maxOrderValue),
    maxPositionLots: Math.min(a.maxPositionLots, b.maxPositionLots),
    maxPositionValue: Math.min(a.maxPositionValue, b.maxPositionValue),
    maxOpenOrders: Math.min(a.maxOpenOrders, b.maxOpenOrders),
  };
}

export interface LimitPair {
  /** Holds for the account's orders and position of the symbol. */
  readonly account: Limits;
  /** Open orders of this symbol. */
  readonly symbolOpenOrders: number;
  readonly strategy: Limits;
}

export function limitPair(instrument: Instrument, risk: RiskOptions, strategy: StrategyLimits): LimitPair {
  const ofAccount = limitsOf(instrument, risk);
  const ofSymbol = limitsOf(instrument, risk.symbols[instrument.symbol] ?? {});
  return {
    account: { ...tighter(ofAccount, ofSymbol), maxOpenOrders: ofAccount.maxOpenOrders },
    symbolOpenOrders: ofSymbol.maxOpenOrders,
    strategy: limitsOf(instrument, strategy),
  };
}
