/** What a rule may ask when it reads the terms of a program, and whether a symbol is in hedge mode. */
import type { Instrument } from '../model/instrument.ts';
import type { Prices, Terms } from '../programs/rule.ts';
import { fractionOf, instrumentOf } from '../programs/terms.ts';
import { minLotsAt } from '../risk/normalise.ts';
import type { Core } from './core.ts';
import { isEntering } from './program-orders.ts';

/** Of the programs at work. */
export interface Asked {
  prices(instrument: Instrument): Prices;
  works(strategy: string, symbol: string): boolean;
  /** Signed lots that programs of the strategy hold. */
  entered(strategy: string, symbol: string): number;
}

export function termsFrom(core: Core, asked: Asked, strategy: string): Terms {
  const { deps, balances, state } = core;
  const { instruments, options, reporting } = deps;
  const instrument = (symbol: string): Instrument => instrumentOf(core.instrument(symbol));
  return {
    reporting,
    instrument,
    prices: (symbol) => asked.prices(instrument(symbol)),
    free: (currency) => Number(balances.of(currency)?.balance.available ?? 0),
    reduces: (symbol, side, positionSide) =>
      (side === 'sell' ? 1 : -1) * state.positions.lots(strategy, symbol, positionSide) >= 1 ||
      isEntering(state, strategy, { symbol, side, positionSide }),
    works: (symbol) => asked.works(strategy, symbol),
    collar: options.risk.priceCollar,
    rest: (symbol) => {
      const beside = state.positions.lots(strategy, symbol, 'both') - asked.entered(strategy, symbol);
      const of = instrument(symbol);
      return beside > -minLotsAt(of.limits, asked.prices(of).mid) && beside < 1 ? fractionOf(beside) : 0;
    },
    symbols: () => instruments.symbols(),
  };
}

/** As asserted, else as the exchange has shown it. */
export function isHedged({ deps, state }: Core, symbol: string): boolean {
  if (deps.instruments.find(symbol)?.market !== 'derivative') return false;
  const { positionMode } = deps.options.risk.perpetuals;
  return positionMode === undefined ? state.heard.hedged.has(symbol) : positionMode === 'hedge';
}
