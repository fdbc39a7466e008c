/**
 * Perpetual positions of the account, all strategies and others together, with the cost by which the exchange realises
 * profit: the wallet and the open profit of these are the equity of the account. A strategy's own entry price is not in
 * it, since the exchange nets what strategies hold against each other.
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

/** Of what strategies trade, and of what was told of other instruments that `find` knows. Without flat ones. */
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

/** Called at each valuation: where there are no perpetuals, nothing is allocated. */
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

/** By the own fills, which are known at once and exactly, while nobody else has part in it; else as the exchange told. */
function heldUnder(
  { adjustments, heard, movedByOthers, positions }: Known,
  name: string,
): Pick<AccountPosition, 'quantity' | 'cost'> {
  const netted = positions.netted(name);
  const isShared = movedByOthers.has(name) || adjustments.get(`position/${name}`)?.isZero() === false;
  if (netted !== undefined && !isShared) return netted;
  const told = heard.positions.get(name);
  if (told === undefined) return heard.knowsPositions || netted === undefined ? NOTHING : netted;
  const quantity = signedQuantity(told);
  return { quantity, cost: quantity.times(dec(told.entryPrice)) };
}

const NONE: readonly AccountPosition[] = [];
const NOTHING = { quantity: ZERO, cost: ZERO };
