/**
 * Binds a fill to the side, symbol, market and position side of its order, whatever the exchange reports.
 * `execution/intake/told-sides.ts` judges a different side. Any other difference contradicts the order.
 */
import type { VenueFill } from '../../model/trading/fill.ts';
import { dec, decimalText } from '../../model/numbers/money.ts';
import type { OwnOrder } from './own-order.ts';

/** Returns `told` itself when the terms are equal. */
export function boundFill(order: OwnOrder, told: VenueFill): VenueFill {
  const { side, instrument, positionSide } = order;
  const { symbol, market } = instrument;
  const isSameSide = told.positionSide === positionSide || (told.positionSide === undefined && positionSide === 'both');
  if (told.side === side && told.symbol === symbol && told.market === market && isSameSide) return told;
  return Object.freeze({ ...told, side, symbol, market, ...(isSameSide ? {} : { positionSide }) });
}

/** Null when nothing contradicts the order. */
export function contradictionOf(order: OwnOrder, told: VenueFill): string | null {
  const { symbol, market } = order.instrument;
  if (told.symbol !== symbol) return `it is reported for ${told.symbol}, but the order is for ${symbol}`;
  if (told.market !== market) return `it is reported for the ${told.market} market, but the order is for ${market}`;
  return positionSideOf(order, told) ?? priceOf(order, told) ?? quantityOf(order, told);
}

/** A missing side, or `both`, contradicts nothing. */
function positionSideOf({ positionSide }: OwnOrder, { positionSide: told = 'both' }: VenueFill): string | null {
  if (told === 'both' || told === positionSide) return null;
  return `it is reported for the ${told} position, but the order is for ${positionSide}`;
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
