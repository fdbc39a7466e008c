/**
 * A position as the exchange reports it (wire profile, "Position"), as it is now. Fields that are quotients are made when
 * somebody reads them, from figures that are kept with the row: the liquidation price asks every position of the currency,
 * and few readers ask for it. They are fields like others: a copy and JSON have them.
 */
import type { VenuePosition } from '../../model/account.ts';
import { decimalText, ZERO, type Decimal } from '../../model/money.ts';
import type { PositionSide } from '../../model/order.ts';
import { liquidationCollateral } from '../margin/cross-account.ts';
import { unrealizedOf } from '../margin/exposure.ts';
import { liquidationPrice } from '../margin/liquidation.ts';
import type { PositionSlot } from './position-slot.ts';

const AVERAGE_PLACES = 18;

export function positionRow<Order extends object>(slot: PositionSlot<Order>): VenuePosition {
  const { symbol, side, market, exposure, holding, margin, updatedAt } = slot;
  const { quantity, cost, realized } = slot.position;
  const { mark } = market;
  const { leverage, marginType } = holding.terms;
  const entry = (): Decimal => (quantity.isZero() ? ZERO : cost.div(quantity));
  const liquidation = liquidationOf(slot);
  return {
    symbol,
    positionSide: side,
    quantity: decimalText(shownQuantity(side, quantity)),
    get entryPrice() {
      return decimalText(entry().toDecimalPlaces(AVERAGE_PLACES));
    },
    get markPrice() {
      return decimalText(mark ?? entry());
    },
    leverage: String(leverage),
    marginType,
    get margin() {
      return decimalText(margin);
    },
    get liquidationPrice() {
      return liquidation();
    },
    get unrealizedPnl() {
      return decimalText(unrealizedOf(exposure, mark ?? entry()));
    },
    get realizedPnl() {
      return decimalText(realized.times(market.instrument.contractSize));
    },
    updatedAt,
  };
}

/** Signed in one-way mode alone. */
export function shownQuantity(side: PositionSide, quantity: Decimal): Decimal {
  return side === 'both' ? quantity : quantity.abs();
}

/** Answers the liquidation price of this moment, whenever it is asked. */
function liquidationOf<Order extends object>(slot: PositionSlot<Order>): () => string | null {
  if (!slot.isOpen) return () => null;
  const { book, market, exposure, margin } = slot;
  const text = (collateral: Decimal): string | null => {
    const price = liquidationPrice(exposure, collateral, market.tiers);
    return price === null ? null : decimalText(price.toDecimalPlaces(book.rules.liquidationPricePlaces));
  };
  if (slot.holding.isIsolated) return () => text(margin);
  const legs = book.crossLegs();
  const own = legs.find((leg) => leg.slot === slot);
  if (own === undefined) return () => null;
  const balance = book.crossBalance();
  return () => text(liquidationCollateral(balance, own, legs));
}
