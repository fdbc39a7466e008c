/** Converts options to numbers per strategy and symbol, in lots and reporting currency; unset is Infinity. */
import type { Instrument } from '../model/instrument.ts';
import type { RiskOptions, StrategyLimits } from './options.ts';
import type { HeldLimits } from './canary.ts';
import type { Limits } from './facts.ts';
import type { PortfolioLimits } from './portfolio.ts';

type LimitOptions = RiskOptions['symbols'][string];
type PortfolioOptions = Pick<StrategyLimits, 'maxGrossValue' | 'maxNetValue' | 'maxOpenNotional'>;

const NONE = Number.POSITIVE_INFINITY;

export function numberOf(text: string | undefined): number {
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

function portfolioLimits(options: PortfolioOptions): PortfolioLimits | null {
  const { maxGrossValue, maxNetValue, maxOpenNotional } = options;
  if (maxGrossValue === undefined && maxNetValue === undefined && maxOpenNotional === undefined) return null;
  return {
    maxGrossValue: numberOf(maxGrossValue),
    maxNetValue: numberOf(maxNetValue),
    maxOpenNotional: numberOf(maxOpenNotional),
  };
}

export function lossLimits({ maxDailyLoss, maxDrawdown }: HeldLimits): LossLimits {
  return { maxDailyLoss: numberOf(maxDailyLoss), maxDrawdown: numberOf(maxDrawdown) };
}

/** Reporting currency; Infinity: none. */
export interface LossLimits {
  readonly maxDailyLoss: number;
  readonly maxDrawdown: number;
}

export interface OrderLimits {
  /** For the account's orders and position of the symbol. */
  readonly account: Limits;
  readonly symbolOpenOrders: number;
  readonly strategy: Limits;
  /** Largest order value as a fraction of equity. */
  readonly equityFraction: number;
  /** Null where none is set. */
  readonly accountPortfolio: PortfolioLimits | null;
  readonly symbolPortfolio: PortfolioLimits | null;
  readonly strategyPortfolio: PortfolioLimits | null;
  readonly losses: LossLimits;
  readonly budget: number;
}

export function orderLimits(instrument: Instrument, risk: RiskOptions, strategy: HeldLimits): OrderLimits {
  const ofAccount = limitsOf(instrument, risk);
  const symbol = risk.symbols[instrument.symbol] ?? {};
  const ofSymbol = limitsOf(instrument, symbol);
  return {
    account: { ...tighter(ofAccount, ofSymbol), maxOpenOrders: ofAccount.maxOpenOrders },
    symbolOpenOrders: ofSymbol.maxOpenOrders,
    strategy: tighter(
      limitsOf(instrument, strategy),
      limitsOf(instrument, strategy.symbols?.[instrument.symbol] ?? {}),
    ),
    equityFraction: strategy.maxOrderEquityFraction ?? risk.maxOrderEquityFraction,
    accountPortfolio: portfolioLimits(risk),
    symbolPortfolio:
      symbol.maxOpenNotional === undefined ? null : portfolioLimits({ maxOpenNotional: symbol.maxOpenNotional }),
    strategyPortfolio: portfolioLimits(strategy),
    losses: lossLimits(strategy),
    budget: numberOf(strategy.budget),
  };
}
