/** Currencies of a start: refuses one that no instrument has; in which one a run reports. */
import type { Instrument } from '../../model/market/instrument.ts';
import { nearest } from '../../model/text/nearest.ts';
import { sessionErrors } from '../errors.ts';

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

/** The wanted currency where something is quoted in it, else the first that something is. */
export function reportingOf(instruments: readonly Instrument[], wanted: string): string {
  const settled = instruments.map(({ quote, settle, market }) => (market === 'spot' ? quote : settle));
  return settled.includes(wanted) ? wanted : (settled[0] ?? wanted);
}
