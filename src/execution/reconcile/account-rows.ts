/**
 * Balances and positions as a reading shows them beside what the journal explains. A balance that perpetuals settle in is no
 * check of own fills: funding and margin move it too, so it is left out by who names the currencies. Pure.
 */
import { signedQuantity, type Balance, type VenuePosition } from '../../model/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/money.ts';
import { TRADING_ACCOUNT } from '../balances.ts';
import { positionName } from '../positions.ts';

export interface AccountRow {
  readonly subject: 'balance' | 'position';
  /** Currency; symbol, and the side in hedge mode. */
  readonly name: string;
  /** By the exchange, signed canonical text. */
  readonly told: string;
  /** By opening, own fills, transfers and adjustments. */
  readonly explained: string;
  readonly difference: string;
  /** `opening`: never taken over before, so there is nothing to compare with. */
  readonly verdict: 'agrees' | 'opening' | 'differs';
}

/** What the journal explains. */
export interface Explained {
  openedAt(subject: 'balance' | 'position', name: string): number | undefined;
  explainedBalance(currency: string): Decimal;
  explainedPosition(name: string): Decimal;
}

/** Currency → total in the trading account. */
export function totalsOf(rows: readonly Balance[]): ReadonlyMap<string, Decimal> {
  const trading = rows.filter(({ account }) => account === TRADING_ACCOUNT);
  return new Map(trading.map(({ currency, total }) => [currency, dec(total)]));
}

/** Name of a position → quantity, signed. */
export function quantitiesOf(rows: readonly VenuePosition[]): ReadonlyMap<string, Decimal> {
  const quantities = new Map<string, Decimal>();
  for (const row of rows) {
    const name = positionName(row.symbol, row.positionSide);
    quantities.set(name, (quantities.get(name) ?? ZERO).plus(signedQuantity(row)));
  }
  return quantities;
}

/** `told` is null where nothing was read; then there are no names. */
export function accountRows(
  by: Explained,
  subject: AccountRow['subject'],
  names: Iterable<string>,
  told: ReadonlyMap<string, Decimal> | null,
  tolerance: Decimal,
): readonly AccountRow[] {
  return Array.from(names, (name) => {
    const explained = subject === 'balance' ? by.explainedBalance(name) : by.explainedPosition(name);
    const total = told?.get(name) ?? ZERO;
    const difference = total.minus(explained);
    const isOpened = by.openedAt(subject, name) !== undefined;
    return {
      subject,
      name,
      told: decimalText(total),
      explained: decimalText(explained),
      difference: decimalText(difference),
      verdict: difference.abs().lte(tolerance) ? 'agrees' : isOpened ? 'differs' : 'opening',
    };
  });
}
