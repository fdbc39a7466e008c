/** Currencies of a start: refuses one that no instrument has or that has no price; in which one a run reports. */
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import { nearest } from '../../model/text/nearest.ts';
import { sessionErrors } from '../errors.ts';
import { Prices } from '../recorder/prices.ts';

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

/**
 * The wanted currency where something has a price in it, else the first that something is quoted in. Limits in money are
 * written in the wanted one: with them it throws `reporting_unpriced`.
 */
export function reportingOf(instruments: readonly Instrument[], wanted: string, limits: readonly string[]): string {
  if (instruments.some((instrument) => isPriced(instrument, wanted))) return wanted;
  const [first] = instruments;
  if (limits.length > 0)
    throw unpriced(wanted, `nothing of the data has a price in ${wanted}, and limits are in it (${limits.join(', ')})`);
  return first === undefined ? wanted : quotedIn(first);
}

/** Throws `reporting_unpriced` where what `traded` is paid in has no price in the reporting currency. */
export function requireReporting(
  reporting: string,
  traded: readonly Instrument[],
  instruments: Instruments,
  place: string,
): void {
  const prices = new Prices(instruments, reporting);
  for (const instrument of traded) {
    const currency = quotedIn(instrument);
    if (currency !== reporting && prices.bridge(currency) === null)
      throw unpriced(
        reporting,
        `${instrument.symbol} is paid in ${currency}, and ${place} has no price of it in ${reporting}`,
      );
  }
  if (!instruments.all().some((instrument) => isPriced(instrument, reporting)))
    throw unpriced(reporting, `nothing of ${place} has a price in ${reporting}`);
}

function unpriced(reporting: string, message: string): Error {
  return sessionErrors.make('reporting_unpriced', `account.reporting: ${message}`, { reporting });
}

function quotedIn({ quote, settle, market }: Instrument): string {
  return market === 'spot' ? quote : settle;
}

/** Spot also prices its quote currency in its base. */
function isPriced(instrument: Instrument, currency: string): boolean {
  return quotedIn(instrument) === currency || (instrument.market === 'spot' && instrument.base === currency);
}
