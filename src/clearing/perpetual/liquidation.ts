/**
 * Positions with equity at or below maintenance are closed at the bankruptcy price plus the liquidation fee. Orders
 * that hold the same money are cancelled first. The insurance pays what the account lacks.
 *
 *   isolated   this position alone, which can lose only its own margin
 *   cross      all cross positions of the currency, if cancelled orders do not free enough
 */
import { type Decimal, greater, ZERO } from '../../model/numbers/money.ts';
import type { Side } from '../../model/trading/order.ts';
import { bankruptcyCollaterals, type MarginState } from '../margin/cross-account.ts';
import { unrealizedOf } from '../margin/exposure.ts';
import { bankruptcyPrice } from '../margin/liquidation.ts';
import type { HoldingTerms, PositionSlot } from './position-slot.ts';
import type { Leg, MarginBook } from './margin-book.ts';
import { settleFill, type SettledFill } from './settlement.ts';

export const LIQUIDATION = 'liquidation';

/** All cross positions of a currency, or one isolated position. */
export interface DueLiquidation<Order extends object> {
  readonly book: MarginBook<PositionSlot<Order>>;
  readonly marginType: HoldingTerms['marginType'];
  readonly slots: readonly PositionSlot<Order>[];
  readonly state: MarginState;
}

export interface ForcedClose<Order extends object> {
  readonly slot: PositionSlot<Order>;
  readonly side: Side;
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly due: DueLiquidation<Order>;
}

export interface LiquidationPorts<Order extends object> {
  cancelOrders(due: DueLiquidation<Order>): void;
  /** Makes the closing order, which `settleForced` settles. */
  close(close: ForcedClose<Order>): void;
}

/** Closes all that is due at the present marks. Terminates because a closed position cannot be due again. */
export function liquidate<Order extends object>(
  books: readonly MarginBook<PositionSlot<Order>>[],
  ports: LiquidationPorts<Order>,
): void {
  for (const book of books) {
    if (!book.mayBeDue()) continue;
    for (const slot of book.open) {
      if (!slot.holding.isIsolated) continue;
      const state = book.isolatedState(slot);
      if (state.isLiquidated) close({ book, marginType: 'isolated', slots: [slot], state }, ports);
    }
    const state = book.crossState();
    if (!state.isLiquidated) continue;
    close({ book, marginType: 'cross', slots: book.crossLegs().map(({ slot }) => slot), state }, ports);
  }
}

function close<Order extends object>(due: DueLiquidation<Order>, ports: LiquidationPorts<Order>): void {
  const { book, marginType } = due;
  ports.cancelOrders(due);
  const isCross = marginType === 'cross';
  if (isCross && !book.crossState().isLiquidated) return;
  const legs = isCross ? book.crossLegs() : due.slots.flatMap((slot) => book.legOf(slot) ?? []);
  const balance = isCross ? book.crossBalance() : due.slots[0]!.margin;
  const collaterals = bankruptcyCollaterals(balance, legs);
  const closes = legs.map((leg, index) => {
    const price = closingPrice(leg, collaterals[index]!, book);
    return { slot: leg.slot, price, profit: unrealizedOf(leg.exposure, price) };
  });
  // Gains first: in a cross account they pay for the losses.
  for (const { slot, price } of closes.toSorted((one, other) => other.profit.cmp(one.profit))) {
    const { quantity } = slot;
    ports.close({ slot, side: quantity.gt(ZERO) ? 'sell' : 'buy', quantity: quantity.abs(), price, due });
  }
}

/** At least one tick. */
function closingPrice<Order extends object>(
  { exposure, slot }: Leg<PositionSlot<Order>>,
  collateral: Decimal,
  { rules }: MarginBook<PositionSlot<Order>>,
): Decimal {
  const { instrument } = slot.market;
  const tick = instrument.exactPrice(1);
  const exact = bankruptcyPrice(exposure, collateral, rules.liquidationFeeRate);
  if (rules.bankruptcyPrice === 'exact') return greater(exact, tick);
  const rounding = exposure.quantity.gt(ZERO) ? 'ceil' : 'floor';
  return greater(exact.div(tick).toDecimalPlaces(0, rounding).times(tick), tick);
}

export function settleForced<Order extends object>(
  { slot, side, price, quantity }: ForcedClose<Order>,
  now: number,
): SettledFill {
  const { book, exposure, market } = slot;
  const { liquidationFeeRate: feeRate, liquidationFeeTo: feeTo, takenOverBy } = book.rules;
  const { mark } = market;
  const settled = settleFill(slot, { side, price, quantity, feeRate, feeTo }, now);
  if (takenOverBy === 'insurance' && mark !== null) {
    const taken = unrealizedOf(exposure, mark).minus(unrealizedOf(exposure, price));
    book.pocket.betweenHouse(taken, 'market', 'insurance');
  }
  return settled;
}
