/**
 * Whether what the exchange reports fits the order. A fill is bound to the side, symbol, market and position side of its
 * order, whatever the exchange reports. `execution/intake/told-sides.ts` judges a different side of it. Any other difference
 * contradicts the order, and so does each term of an order report that is not as it was sent.
 */
import type { ContradictedEntry } from '../../model/entries/journal.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import { dec, decimalText, type Decimal } from '../../model/numbers/money.ts';
import type { OrderReport } from '../../model/trading/order.ts';
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

/** Choice of a contradiction that ended because the list shows the trade as booked again. */
export const AGREED = 'agreed';

/** Null when nothing contradicts the order. */
export function contradictionOf(order: OwnOrder, reported: VenueFill): string | null {
  return placeOf(order, reported) ?? priceOf(order, reported) ?? quantityOf(order, reported);
}

/** A booked trade that is listed with another quantity or price; null: as booked, or not booked. */
export function listedOtherwise(order: OwnOrder, listed: VenueFill): ContradictedEntry | null {
  const booked = order.progress.trades?.termsOf(listed.tradeId);
  if (booked === undefined) return null;
  if (!isOther(listed.quantity, booked.quantity) && !isOther(listed.price, booked.price)) return null;
  const { quantity, price, fee } = booked;
  return {
    kind: 'contradicted',
    intentId: order.intentId,
    fill: boundFill(order, listed),
    booked: { quantity, price, fee },
  };
}

/** What is held by the list beyond what is held by the books. `base`: of the instrument. */
export function heldMore({ fill, booked }: ContradictedEntry, base: string | undefined): Decimal {
  const quantity = dec(fill.quantity).minus(booked.quantity);
  const more = fill.side === 'buy' ? quantity : quantity.neg();
  return fill.feeCurrency === base ? more.minus(dec(fill.fee).minus(booked.fee)) : more;
}

/** As `contradictionOf`, of an order report. The price of a market order means nothing. */
export function misreported(order: OwnOrder, reported: OrderReport): string | null {
  const { side, type, price, quantity } = order.request;
  if (reported.side !== side) return `it is reported as a ${reported.side}, but the order is a ${side}`;
  if (reported.type !== type) return `it is reported as a ${reported.type} order, but the order is a ${type} order`;
  if (isOther(reported.quantity, quantity)) return `its quantity ${reported.quantity} is not ${quantity}, as sent`;
  if (price !== null && reported.price !== null && isOther(reported.price, price))
    return `its price ${reported.price} is not ${price}, as sent`;
  return placeOf(order, reported);
}

/** The same number may have other digits. */
function isOther(reported: string, sent: string): boolean {
  return reported !== sent && !dec(reported).eq(dec(sent));
}

type Placed = Pick<OrderReport, 'symbol' | 'market' | 'positionSide'>;

function placeOf(order: OwnOrder, reported: Placed): string | null {
  const { symbol, market } = order.instrument;
  if (reported.symbol !== symbol) return `it is reported for ${reported.symbol}, but the order is for ${symbol}`;
  if (reported.market !== market)
    return `it is reported for the ${reported.market} market, but the order is for ${market}`;
  return positionSideOf(order, reported);
}

/** A missing side, or `both`, contradicts nothing. */
function positionSideOf({ positionSide }: OwnOrder, { positionSide: reported = 'both' }: Placed): string | null {
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
