/**
 * Limits of a strategy version on trial: a share of the limits of account, symbol and strategy, and the trial's own
 * limits.
 */
import { dec, decimalText } from '../model/money.ts';
import type { CanaryOptions, RiskOptions, StrategyLimits } from './options.ts';

/** Limits of a strategy, and those that only a trial adds. */
export interface HeldLimits extends StrategyLimits {
  readonly maxOrderEquityFraction?: number;
  readonly symbols?: RiskOptions['symbols'];
}

const ofSymbol = ['maxOrderQuantity', 'maxOrderValue', 'maxPosition', 'maxPositionValue', 'maxOpenNotional'] as const;
const ofAccount = [
  ...ofSymbol,
  'maxGrossValue',
  'maxNetValue',
  'maxOrderValuePerMinute',
  'maxOrderValuePerHour',
] as const;
const ofStrategy = ['budget', 'maxDailyLoss', 'maxDrawdown'] as const;

type Amounts<Name extends string> = { readonly [K in Name]?: string | undefined };

export function canaryLimits(own: StrategyLimits, risk: RiskOptions, canary: CanaryOptions): HeldLimits {
  const { share, limits } = canary;
  const openOrders = Math.min(own.maxOpenOrders ?? risk.maxOpenOrders, risk.maxOpenOrders);
  // At least one order.
  const openShare = Math.min(openOrders, Math.max(1, Math.floor(openOrders * share)));
  return {
    ...own,
    ...amounts(ofAccount, share, [own, risk], limits),
    ...amounts(ofStrategy, share, [own], limits),
    maxOpenOrders: Math.min(openShare, limits.maxOpenOrders ?? Number.POSITIVE_INFINITY),
    maxOrderEquityFraction: risk.maxOrderEquityFraction * share,
    ...allowed(own.allowedSymbols, limits.allowedSymbols),
    symbols: Object.fromEntries(
      Object.entries(risk.symbols).map(([symbol, set]) => [symbol, amounts(ofSymbol, share, [set], {})]),
    ),
  };
}

/** By name: the share of the tightest configured limit, or the trial's own limit if that is less. */
function amounts<Name extends string>(
  names: readonly Name[],
  share: number,
  sources: readonly Amounts<Name>[],
  whole: Amounts<Name>,
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const set = sources.flatMap((source) => (source[name] === undefined ? [] : [dec(source[name]).times(share)]));
    const own = whole[name] === undefined ? [] : [dec(whole[name])];
    const [first, ...rest] = [...set, ...own];
    if (first !== undefined)
      found[name] = decimalText(rest.reduce((least, next) => (next.lt(least) ? next : least), first));
  }
  return found;
}

function allowed(
  own: readonly string[] | undefined,
  onTrial: readonly string[] | undefined,
): Pick<StrategyLimits, 'allowedSymbols'> {
  if (onTrial === undefined) return {};
  return { allowedSymbols: onTrial.filter((symbol) => own?.includes(symbol) ?? true) };
}
