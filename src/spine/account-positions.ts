/**
 * Perpetual positions of the account: all strategies and external trades together. Their cost is the one by which the
 * exchange realises profit, so wallet plus open profit of these is the account's equity. A strategy's own entry price
 * does not count here, because the exchange nets the strategies against each other.
 */
import { signedQuantity } from '../model/trading/account.ts';
import type { Instrument } from '../model/market/instrument.ts';
import { dec, ZERO, type Decimal } from '../model/numbers/money.ts';
import type { PositionSide } from '../model/trading/order.ts';
import { positionName } from './positions.ts';
import type { StateView } from './trading-state.ts';

export interface AccountPosition {
  readonly instrument: Instrument;
  readonly positionSide: PositionSide;
  /** Signed. */
  readonly quantity: Decimal;
  /** Signed, quote units without the contract size. */
  readonly cost: Decimal;
}

type Known = Pick<StateView, 'adjustments' | 'heard' | 'movedByOthers' | 'positions'>;

/**
 * Positions that strategies trade, and reported ones of other instruments that `find` knows. Flat ones are left out.
 */
export function accountPositions(
  state: Known,
  find: (symbol: string) => Instrument | undefined,
): readonly AccountPosition[] {
  let all: Map<string, AccountPosition> | undefined;
  for (const { instrument, positionSide } of state.positions.all())
    all = withHeld(all, state, instrument, positionSide);
  for (const { symbol, positionSide } of state.heard.positions.values())
    all = withHeld(all, state, find(symbol), positionSide);
  return all === undefined ? NONE : [...all.values()].filter(({ quantity }) => !quantity.isZero());
}

/** Runs at each valuation, so it allocates nothing without perpetuals. */
function withHeld(
  all: Map<string, AccountPosition> | undefined,
  state: Known,
  instrument: Instrument | undefined,
  positionSide: PositionSide,
): Map<string, AccountPosition> | undefined {
  if (instrument?.market !== 'derivative') return all;
  const name = positionName(instrument.symbol, positionSide);
  if (all?.has(name) === true) return all;
  const { quantity, cost } = heldUnder(state, name);
  return (all ?? new Map<string, AccountPosition>()).set(name, { instrument, positionSide, quantity, cost });
}

/**
 * From own fills while no external trade has part in the position, because they are exact and known at once. Otherwise
 * from the exchange's report.
 */
function heldUnder(
  { adjustments, heard, movedByOthers, positions }: Known,
  name: string,
): Pick<AccountPosition, 'quantity' | 'cost'> {
  const netted = positions.netted(name);
  const isShared = movedByOthers.has(name) || adjustments.get(`position/${name}`)?.isZero() === false;
  if (netted !== undefined && !isShared) return netted;
  const reported = heard.positions.get(name);
  if (reported === undefined) return heard.knowsPositions || netted === undefined ? NOTHING : netted;
  const quantity = signedQuantity(reported);
  return { quantity, cost: quantity.times(dec(reported.entryPrice)) };
}

const NONE: readonly AccountPosition[] = [];
const NOTHING = { quantity: ZERO, cost: ZERO };
