/** Refuses a `--start` currency that no instrument has. */
import type { Instrument } from '../model/instrument.ts';
import { nearest } from '../model/nearest.ts';
import { sessionErrors } from './errors.ts';

/** Throws `currency_unknown_here`. */
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
