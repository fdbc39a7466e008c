/** The limits of an order as numbers, in lots and reporting currency; unset is Infinity. */
import type { Instrument } from '../model/market/instrument.ts';
import type { RiskOptions, StrategyLimits } from './options.ts';
import { protectionsOf, type Protections } from './protections/protections.ts';

type LimitOptions = { readonly [Name in keyof StrategyLimits]?: StrategyLimits[Name] | undefined };

const NONE = Number.POSITIVE_INFINITY;

export function numberOf(value: string | number | undefined): number {
  return value === undefined ? NONE : Number(value);
}

/** Limits of a strategy, and those that only a trial adds. */
export interface HeldLimits extends StrategyLimits {
  readonly maxOrderEquityFraction?: number;
  readonly symbols?: RiskOptions['symbols'];
}

export const amountsOfSymbol = [
  'maxOrderQuantity',
  'maxOrderValue',
  'maxPosition',
  'maxPositionValue',
  'maxOpenNotional',
] as const;
export const amountsOfPortfolio = [
  'maxGrossValue',
  'maxNetValue',
  'maxOrderValuePerMinute',
  'maxOrderValuePerHour',
] as const;
export const amountsOfStrategy = ['budget', 'maxDailyLoss', 'maxDrawdown'] as const;

const NAMES = [...amountsOfSymbol, 'maxOpenOrders', ...amountsOfPortfolio, ...amountsOfStrategy, 'share'] as const;

export type LimitName = (typeof NAMES)[number];

/** Counted in base units, orders or parts; the others are money in the reporting currency. */
const NOT_MONEY: readonly string[] = ['maxOrderQuantity', 'maxPosition', 'maxOpenOrders', 'share'];

/** Names of those in money that are set. */
export function moneyLimits(scopes: readonly LimitOptions[]): readonly string[] {
  const isSet = (name: LimitName): boolean => scopes.some((limits) => limits[name] !== undefined);
  return NAMES.filter((name) => !NOT_MONEY.includes(name) && isSet(name));
}

/** Limits of one scope, by option name. Quantities in lots. */
export type Limits = Readonly<Record<LimitName, number>> & Pick<LimitOptions, 'allowedSymbols'>;

export interface OrderLimits {
  /** With order size and position limits of the symbol. */
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

/** The lower of both. */
function limitsOf({ lot }: Instrument, own: LimitOptions, ofSymbol: LimitOptions = {}): Limits {
  const least = NAMES.map((name) => [name, Math.min(numberOf(own[name]), numberOf(ofSymbol[name]))] as const);
  const limits = Object.fromEntries(least) as Record<LimitName, number>;
  // A limit between two lots allows the lower one; the tolerance keeps 0.3 / 0.1 at 3.
  const lots = (quantity: number): number => Math.floor(quantity / lot + 1e-9);
  const { maxOrderQuantity, maxPosition } = limits;
  const inLots = { maxOrderQuantity: lots(maxOrderQuantity), maxPosition: lots(maxPosition) };
  return { ...limits, ...inLots, allowedSymbols: own.allowedSymbols };
}

export function orderLimits(instrument: Instrument, risk: RiskOptions, own: HeldLimits): OrderLimits {
  const { maxOpenOrders, maxOpenNotional, ...ofSymbol } = risk.symbols[instrument.symbol] ?? {};
  const { maxOpenNotional: _ofAll, ...onTrial } = own.symbols?.[instrument.symbol] ?? {};
  const strategy = limitsOf(instrument, own, onTrial);
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
