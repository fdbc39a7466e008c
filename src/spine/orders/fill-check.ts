/**
 * Binds a fill to the side, symbol, market and position side of its order, whatever the exchange reports.
 * `execution/intake/told-sides.ts` judges a different side. Any other difference contradicts the order.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { OwnOrder } from './own-order.ts';

/** Returns `reported` itself when the terms are equal. */
export function boundFill(order: OwnOrder, reported: VenueFill): VenueFill {
  const { side, instrument, positionSide } = order;
  const { symbol, market } = instrument;
  const isSameSide =
    reported.positionSide === positionSide || (reported.positionSide === undefined && positionSide === 'both');
  if (reported.side === side && reported.symbol === symbol && reported.market === market && isSameSide) return reported;
  return Object.freeze({ ...reported, side, symbol, market, ...(isSameSide ? {} : { positionSide }) });
}

/** Null when nothing contradicts the order. */
export function contradictionOf(order: OwnOrder, reported: VenueFill): string | null {
  const { symbol, market } = order.instrument;
  if (reported.symbol !== symbol) return `it is reported for ${reported.symbol}, but the order is for ${symbol}`;
  if (reported.market !== market)
    return `it is reported for the ${reported.market} market, but the order is for ${market}`;
  return positionSideOf(order, reported) ?? priceOf(order, reported) ?? quantityOf(order, reported);
}

/** A missing side, or `both`, contradicts nothing. */
function positionSideOf({ positionSide }: OwnOrder, { positionSide: reported = 'both' }: VenueFill): string | null {
  if (reported === 'both' || reported === positionSide) return null;
  return `it is reported for the ${reported} position, but the order is for ${positionSide}`;
}

/** A limit order fills at its limit or better. */
function priceOf({ isMarket, instrument, ticks, side }: OwnOrder, { price }: VenueFill): string | null {
  if (isMarket) return null;
  const at = instrument.ticksOf(price);
  if (side === 'buy' ? at <= ticks : at >= ticks) return null;
  const limit = instrument.exactPrice(ticks);
  const isBeyond = side === 'buy' ? dec(price).gt(limit) : dec(price).lt(limit);
  return isBeyond ? `its price ${price} is beyond the limit ${decimalText(limit)}` : null;
}

function quantityOf({ instrument, progress, request }: OwnOrder, { quantity }: VenueFill): string | null {
  const { fillLots } = progress;
  const isOnGrid = Number.isInteger(fillLots);
  if (isOnGrid && instrument.lotsOf(quantity) + fillLots <= instrument.lotsOf(request.quantity)) return null;
  const left = dec(request.quantity).minus(progress.fillQuantity);
  return dec(quantity).gt(left) ? `its quantity ${quantity} exceeds the remaining ${decimalText(left)}` : null;
}
