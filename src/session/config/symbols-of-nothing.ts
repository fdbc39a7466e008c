/** Settings of the configuration that name a symbol and take no effect here, most likely a typing error. A sentence each. */
import type { Instruments } from '../../model/market/instrument.ts';
import type { RiskOptions } from '../../risk/options.ts';
import { perpetualTerms, perpetualTiers, type PerpetualOptions } from '../../simulation/money/perpetual-options.ts';
import { notHere } from '../strategies.ts';

export function limitsOfNothing({ symbols }: RiskOptions, instruments: Instruments, place: string): readonly string[] {
  return namesOfNothing('risk.symbols', symbols, instruments, place);
}

/**
 * Of `simulation.perpetuals`: symbols that are none, and a leverage at which no order of new risk is accepted. `traded`:
 * the symbols that the common leverage is for.
 */
export function perpetualsOfNothing(
  options: PerpetualOptions,
  traded: readonly string[],
  instruments: Instruments,
  place: string,
): readonly string[] {
  // Without perpetuals the section is not in force.
  if (!instruments.all().some(({ market }) => market === 'derivative')) return [];
  const path = 'simulation.perpetuals';
  const tooHigh = [...new Set([...Object.keys(options.symbols), ...traded])].flatMap((symbol) => {
    const instrument = instruments.find(symbol);
    if (instrument?.market !== 'derivative') return [];
    const { leverage } = perpetualTerms(options, symbol);
    const { leverageMax } = perpetualTiers(options, instrument);
    if (leverage <= leverageMax) return [];
    const name = options.symbols[symbol]?.leverage === undefined ? 'leverage' : `symbols.${symbol}.leverage`;
    return [`${path}.${name}: ${symbol} takes at most ${leverageMax}, so no order opens a position at ${leverage}`];
  });
  return [...namesOfNothing(`${path}.symbols`, options.symbols, instruments, place), ...tooHigh];
}

function namesOfNothing(
  path: string,
  symbols: Readonly<Record<string, unknown>>,
  instruments: Instruments,
  place: string,
): readonly string[] {
  return Object.keys(symbols)
    .filter((symbol) => instruments.find(symbol) === undefined)
    .map((symbol) => `${path}.${symbol}: ${notHere(symbol, instruments, place)}`);
}
