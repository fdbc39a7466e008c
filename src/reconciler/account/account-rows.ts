/** The balances and positions to be compared: snapshot rows beside what the journal explains. */
import { signedQuantity, type Balance, type VenuePosition } from '../../model/trading/account.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import { POSITION_SIDES } from '../../model/trading/order.ts';
import { TRADING_ACCOUNT } from '../../spine/balances.ts';
import { positionName } from '../../spine/positions.ts';
import type { StateView } from '../../spine/trading-state.ts';

export type Subject = 'balance' | 'position';

export interface Difference {
  readonly subject: Subject;
  readonly name: string;
  readonly difference: Decimal;
}

export interface AccountRow {
  readonly subject: Subject;
  /** Includes the side in hedge mode. */
  readonly name: string;
  /** As the exchange reports it: signed canonical text. */
  readonly told: string;
  readonly explained: string;
  readonly difference: string;
  /** `opening`: not adopted yet. */
  readonly verdict: 'agrees' | 'opening' | 'differs';
}

export type Totals = ReadonlyMap<string, Decimal>;

export function totalsOf(rows: readonly Balance[]): Totals {
  const trading = rows.filter(({ account }) => account === TRADING_ACCOUNT);
  return new Map(trading.map(({ currency, total }) => [currency, dec(total)]));
}

export function quantitiesOf(rows: readonly VenuePosition[]): Totals {
  const quantities = new Map<string, Decimal>();
  for (const row of rows) {
    const name = positionName(row.symbol, row.positionSide);
    quantities.set(name, (quantities.get(name) ?? ZERO).plus(signedQuantity(row)));
  }
  return quantities;
}

export function explainedBy(
  state: Pick<StateView, 'explainedBalance' | 'explainedPosition'>,
  subject: Subject,
  name: string,
): Decimal {
  return subject === 'balance' ? state.explainedBalance(name) : state.explainedPosition(name);
}

/** `reported`: null without a snapshot; then there are no rows. */
export function accountRows(
  by: Pick<StateView, 'openedAt' | 'explainedBalance' | 'explainedPosition'>,
  subject: Subject,
  names: Iterable<string>,
  reported: Totals | null,
  tolerance: Decimal,
): readonly AccountRow[] {
  if (reported === null) return [];
  return Array.from(names, (name) => {
    const explained = explainedBy(by, subject, name);
    const total = reported.get(name) ?? ZERO;
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

export interface Currencies {
  /** Balances that trading moves. */
  readonly spot: ReadonlySet<string>;
  /** Settlement currencies of perpetuals that anybody holds or traded. Not all their changes are itemised. */
  readonly settled: ReadonlySet<string>;
  /** Settlement currencies of watched perpetuals that nobody traded. */
  readonly settledLater: readonly string[];
}

/** `movedAt`: Unix ms of the newest external trade by name. */
export function comparedCurrencies(
  state: StateView,
  instruments: Pick<Instruments, 'all'>,
  watched: ReadonlySet<string>,
  movedAt: ReadonlyMap<string, number>,
): Currencies {
  const traded = new Set(state.orders.symbols());
  const isUsed = (name: string): boolean => movedAt.has(name) || !state.explainedPosition(name).isZero();
  const perpetuals = instruments.all().filter(({ market }) => market === 'derivative');
  const used = perpetuals.filter(
    ({ symbol }) => traded.has(symbol) || POSITION_SIDES.some((side) => isUsed(positionName(symbol, side))),
  );
  const settled = new Set(used.map(({ settle }) => settle));
  const pairs = instruments
    .all()
    .filter(({ market, symbol }) => market === 'spot' && (traded.has(symbol) || watched.has(symbol)));
  const spot = new Set(pairs.flatMap(({ base, quote }) => [base, quote]).filter((currency) => !settled.has(currency)));
  const settledLater = perpetuals
    .filter(({ symbol, settle }) => watched.has(symbol) && !spot.has(settle) && !settled.has(settle))
    .map(({ settle }) => settle);
  return { spot, settled, settledLater };
}
