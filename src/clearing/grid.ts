/** Puts a new order on the grid of its instrument and checks minima and maxima in a fixed order. */
import type { Instrument } from '../model/market/instrument.ts';
import { dec, ZERO } from '../model/numbers/money.ts';
import { refusal, type ClearingRefusal } from './refusal.ts';

export interface GridOrder {
  readonly kind: 'on-grid';
  readonly lots: number;
  readonly ticks: number | null;
}

export interface GridRequest {
  readonly quantity: string;
  readonly price: string | null;
  /** A closing order is exempt from the least notional; otherwise a small rest could never be sold. */
  readonly closes: boolean;
  /** Price that values a market order; 0: no valuation. */
  readonly touchTicks: number;
}

export function onGrid(instrument: Instrument, request: GridRequest): GridOrder | ClearingRefusal {
  const lots = instrument.lotsOf(request.quantity);
  const ticks = request.price === null ? null : instrument.ticksOf(request.price);
  const { minLots, maxLots, minTickLots } = instrument.limits;
  const valued = ticks ?? request.touchTicks;
  const isWorth = request.closes || valued === 0 || (valued > 0 && valued * lots >= minTickLots);
  const isWithin = lots >= minLots && lots <= maxLots && (ticks === null || ticks > 0);
  return isWithin && isWorth ? { kind: 'on-grid', lots, ticks } : judge(instrument, request);
}

/** In exact decimals, with the refusal. */
function judge(instrument: Instrument, request: GridRequest): GridOrder | ClearingRefusal {
  const { spec } = instrument;
  const { quantity, price } = request;
  const exact = dec(quantity);
  if (exact.gt(instrument.maxQuantity)) return aboveMaximum('quantity', quantity, spec.maxQuantity);
  if (exact.lte(ZERO) || exact.lt(instrument.minQuantity)) {
    return refusal('below_minimum', `quantity ${quantity} is below the minimum ${spec.minQuantity}`, 'quantity');
  }
  const lots = instrument.lotsOf(quantity);
  if (Number.isNaN(lots)) {
    const { countableQuantity } = instrument;
    if (exact.gt(countableQuantity)) return aboveMaximum('quantity', quantity, countableQuantity.toFixed());
    return refusal('off_lot', `quantity ${quantity} is not a multiple of ${spec.lotSize}`, 'quantity');
  }
  const ticks = price === null ? null : instrument.ticksOf(price);
  if (price !== null && ticks !== null && !(ticks > 0)) {
    const { countablePrice } = instrument;
    if (dec(price).gt(countablePrice)) return aboveMaximum('price', price, countablePrice.toFixed());
    return refusal('off_tick', `price ${price} is not a multiple of ${spec.tickSize}`, 'price');
  }
  const valued = ticks ?? request.touchTicks;
  if (!request.closes && valued !== 0) {
    const notional = instrument.exactNotional(valued, lots);
    if (notional.lt(instrument.minNotional)) {
      const text = `price × quantity ${notional.toFixed()} is below the minimum ${spec.minNotional}`;
      return refusal('below_minimum', text, 'quantity');
    }
  }
  return { kind: 'on-grid', lots, ticks };
}

function aboveMaximum(field: 'price' | 'quantity', value: string, maximum: string): ClearingRefusal {
  return refusal('above_maximum', `${field} ${value} is above the maximum ${maximum}`, field);
}
