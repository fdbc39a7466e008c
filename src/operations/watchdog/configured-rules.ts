/** The watchdog's rules from the account and symbol limits in `risk`. */
import type { RiskOptions } from '../../risk/options.ts';
import { numberOf } from '../../risk/limits.ts';
import type { SymbolRules, WatchRules } from './rules.ts';

type SymbolOptions = RiskOptions['symbols'][string];

function symbolRules(of: SymbolOptions, account: SymbolOptions): SymbolRules {
  return {
    maxPosition: Math.min(numberOf(of.maxPosition), numberOf(account.maxPosition)),
    maxPositionValue: Math.min(numberOf(of.maxPositionValue), numberOf(account.maxPositionValue)),
    maxOpenNotional: numberOf(of.maxOpenNotional),
  };
}

export function watchRules(risk: RiskOptions, staleMs: number, disagreeMs: number): WatchRules {
  return {
    staleMs,
    disagreeMs,
    maxOpenNotional: numberOf(risk.maxOpenNotional),
    maxOpenOrders: risk.maxOpenOrders,
    maxGrossValue: numberOf(risk.maxGrossValue),
    maxNetValue: numberOf(risk.maxNetValue),
    dailyLossFraction: risk.dailyLossFraction,
    symbols: new Map(Object.entries(risk.symbols).map(([symbol, limits]) => [symbol, symbolRules(limits, risk)])),
    everySymbol: symbolRules({}, risk),
  };
}
