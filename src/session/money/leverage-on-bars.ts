/** On bars the mark is the open or the close: a high or low inside a bar liquidates nothing (docs/simulation.md, "Perpetuals"). */
import type { Instrument } from '../../model/market/instrument.ts';
import { perpetualTerms } from '../../simulation/money/perpetual-options.ts';
import type { SimulationOptions } from '../../simulation/options.ts';

/** A sentence a symbol. `traded`: with positions, ended ones too. */
export function leverageOnBars(
  { exchange, perpetuals }: Pick<SimulationOptions, 'exchange' | 'perpetuals'>,
  traded: readonly Instrument[],
): readonly string[] {
  if (exchange !== 'candles') return [];
  return [...new Set(traded)].flatMap(({ symbol, market }) => {
    const { leverage } = perpetualTerms(perpetuals, symbol);
    if (market !== 'derivative' || leverage === 1) return [];
    return `${symbol}, leverage ${leverage}: on bars a position is liquidated at opens, closes and recorded marks alone; it may have outlived a high or low that liquidates`;
  });
}
