/**
 * Currencies that a human gives to begin with (`--start`): one that no instrument of the run has is mistyped, and would count
 * as nothing. Called by backtests, searches, validations and paper sessions before anything is sent.
 */
import type { Instrument } from '../model/instrument.ts';
import { nearest } from '../model/nearest.ts';
import { sessionErrors } from './errors.ts';

/** Throws `currency_unknown_here`. `place`: the data, or an exchange. */
export function requireCurrencies(wanted: readonly string[], instruments: readonly Instrument[], place: string): void {
  const known = [...new Set(instruments.flatMap(currenciesOf))].toSorted();
  for (const currency of wanted) {
    if (known.includes(currency)) continue;
    const near = nearest(currency, known);
    const hint = near.length === 0 ? '' : `; nearest: ${near.join(', ')}`;
    throw sessionErrors.make(
      'currency_unknown_here',
      `no instrument of ${place} has the currency ${currency}${hint}; it has ${known.join(', ')}`,
      { currency, nearest: near, known },
    );
  }
}

function currenciesOf({ market, base, quote, settle }: Instrument): readonly string[] {
  return market === 'spot' ? [base, quote] : [settle];
}
