/**
 * Balances and positions of the exchange against what the journal explains, currency by currency. Pure.
 */
import { signedQuantity, type Balance, type VenuePosition } from '../../model/account.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/money.ts';
import type { Instrument } from '../../model/instrument.ts';
import type { Reading } from '../../model/result.ts';
import { TRADING_ACCOUNT } from '../../execution/balances.ts';
import { positionName } from '../../execution/positions.ts';
import type { TradingState } from '../../execution/trading-state.ts';

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

export function compareBalances(
  told: Reading<Balance> | undefined,
  state: TradingState,
  traded: readonly Instrument[],
  tolerance: Decimal,
): readonly AccountRow[] {
  if (told?.kind !== 'complete') return [];
  const totals = new Map<string, Decimal>();
  for (const { account, currency, total } of told.items)
    if (account === TRADING_ACCOUNT) totals.set(currency, dec(total));
  return [...spotCurrencies(traded)].map((currency) =>
    rowOf('balance', currency, totals.get(currency) ?? ZERO, state.explainedBalance(currency), state, tolerance),
  );
}

export function comparePositions(
  told: Reading<VenuePosition> | undefined,
  state: TradingState,
  traded: readonly Instrument[],
): readonly AccountRow[] {
  if (told?.kind !== 'complete') return [];
  const quantities = new Map<string, Decimal>();
  for (const { market, symbol } of traded) if (market === 'derivative') quantities.set(symbol, ZERO);
  for (const position of told.items) {
    const name = positionName(position.symbol, position.positionSide);
    quantities.set(name, (quantities.get(name) ?? ZERO).plus(signedQuantity(position)));
  }
  return [...quantities].map(([name, quantity]) =>
    rowOf('position', name, quantity, state.explainedPosition(name), state, ZERO),
  );
}

/** Where perpetuals settle, funding and margin move the balance too: it is no check of own fills. */
function spotCurrencies(traded: readonly Instrument[]): ReadonlySet<string> {
  const currencies = new Set(traded.flatMap(({ market, base, quote }) => (market === 'spot' ? [base, quote] : [])));
  for (const { market, settle } of traded) if (market === 'derivative') currencies.delete(settle);
  return currencies;
}

function rowOf(
  subject: AccountRow['subject'],
  name: string,
  told: Decimal,
  explained: Decimal,
  state: TradingState,
  tolerance: Decimal,
): AccountRow {
  const difference = told.minus(explained);
  const isOpened = state.openedAt(subject, name) !== undefined;
  const agrees = difference.abs().lte(tolerance);
  return {
    subject,
    name,
    told: decimalText(told),
    explained: decimalText(explained),
    difference: decimalText(difference),
    verdict: agrees ? 'agrees' : isOpened ? 'differs' : 'opening',
  };
}
