/** Snapshot rows beside what the journal explains. */
import { signedQuantity, type Balance, type VenuePosition } from '../model/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../model/money.ts';
import { TRADING_ACCOUNT } from '../spine/balances.ts';
import { positionName } from '../spine/positions.ts';
import type { StateView } from '../spine/trading-state.ts';

export interface AccountRow {
  readonly subject: 'balance' | 'position';
  /** With the side in hedge mode. */
  readonly name: string;
  /** By the exchange: signed canonical text. */
  readonly told: string;
  readonly explained: string;
  readonly difference: string;
  /** `opening`: never taken over. */
  readonly verdict: 'agrees' | 'opening' | 'differs';
}

export function totalsOf(rows: readonly Balance[]): ReadonlyMap<string, Decimal> {
  const trading = rows.filter(({ account }) => account === TRADING_ACCOUNT);
  return new Map(trading.map(({ currency, total }) => [currency, dec(total)]));
}

export function quantitiesOf(rows: readonly VenuePosition[]): ReadonlyMap<string, Decimal> {
  const quantities = new Map<string, Decimal>();
  for (const row of rows) {
    const name = positionName(row.symbol, row.positionSide);
    quantities.set(name, (quantities.get(name) ?? ZERO).plus(signedQuantity(row)));
  }
  return quantities;
}

/** `told`: null when not read; then `names` is empty. */
export function accountRows(
  by: Pick<StateView, 'openedAt' | 'explainedBalance' | 'explainedPosition'>,
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
