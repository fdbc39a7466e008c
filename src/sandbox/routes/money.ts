/** Currencies and amounts of money routes. */
import { dec, type Decimal } from '../../model/numbers/money.ts';
import { currencies, type Currency } from '../core/market/instruments.ts';
import { BadRequest, type Fields } from '../fields.ts';

const INNER_PLACES_MAX = 18;
const INNER_AMOUNT_MAX = dec('1e24');

function readFrom(fields: Fields, rows: readonly Currency[]): Currency {
  const code = fields.oneOf(
    'currency',
    rows.map((row) => row.currency),
  );
  const row = rows.find(({ currency }) => currency === code);
  if (row === undefined) throw new BadRequest(`there is no currency ${code}`, 'currency');
  return row;
}

export function readCurrency(fields: Fields): Currency {
  return readFrom(fields, currencies);
}

export function readFiatCurrency(fields: Fields): Currency {
  return readFrom(
    fields,
    currencies.filter((row) => !row.isCoin),
  );
}

/** External movements: no finer than the currency's precision. */
export function readAmount(fields: Fields, { currency, precision }: Currency): Decimal {
  const amount = dec(fields.decimal('amount'));
  if (amount.decimalPlaces() > precision) {
    throw new BadRequest(`amount has more than the ${precision} decimals of ${currency}`, 'amount');
  }
  return amount;
}

/** Internal movements: up to 18 decimals, since trading leaves finer balances. */
export function readInnerAmount(fields: Fields): Decimal {
  const amount = dec(fields.decimal('amount'));
  if (amount.decimalPlaces() > INNER_PLACES_MAX || amount.gte(INNER_AMOUNT_MAX)) {
    throw new BadRequest(`amount has more than ${INNER_PLACES_MAX} decimals or is too large`, 'amount');
  }
  return amount;
}
