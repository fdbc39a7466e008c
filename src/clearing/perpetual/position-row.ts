/**
 * A position as the exchange reports it (wire profile, "Position"). Its liquidation price is a quotient that asks every
 * position of the currency, so a row is made only where somebody reads one.
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
  const { symbol, side, market, exposure, holding, book } = slot;
  const { quantity, entryPrice, realized } = slot.position;
  const entry = entryPrice ?? ZERO;
  const mark = market.mark ?? entry;
  const { leverage, marginType } = holding.terms;
  const liquidation = liquidationPriceOf(slot);
  return {
    symbol,
    positionSide: side,
    quantity: decimalText(shownQuantity(side, quantity)),
    entryPrice: decimalText(entry.toDecimalPlaces(AVERAGE_PLACES)),
    markPrice: decimalText(mark),
    leverage: String(leverage),
    marginType,
    margin: decimalText(slot.margin),
    liquidationPrice:
      liquidation === null ? null : decimalText(liquidation.toDecimalPlaces(book.rules.liquidationPricePlaces)),
    unrealizedPnl: decimalText(unrealizedOf(exposure, mark)),
    realizedPnl: decimalText(realized.times(market.instrument.contractSize)),
    updatedAt: slot.updatedAt,
  };
}

/** Signed in one-way mode alone. */
export function shownQuantity(side: PositionSide, quantity: Decimal): Decimal {
  return side === 'both' ? quantity : quantity.abs();
}

function liquidationPriceOf<Order extends object>(slot: PositionSlot<Order>): Decimal | null {
  if (!slot.isOpen) return null;
  const { book, holding, market, exposure } = slot;
  if (holding.isIsolated) return liquidationPrice(exposure, slot.margin, market.tiers);
  const legs = book.crossLegs();
  const own = legs.find((leg) => leg.slot === slot);
  if (own === undefined) return null;
  return liquidationPrice(exposure, liquidationCollateral(book.crossBalance(), own, legs), market.tiers);
}
