/**
 * Recounts positions and orders in the new ticks and lots of an instrument whose steps changed while the session was
 * stopped. A quantity off the new grid becomes a fraction of a lot.
 */
import type { Instrument, Instruments } from '../model/market/instrument.ts';
import { dec, decimalText, type Decimal } from '../model/numbers/money.ts';
import type { Mutable } from '../model/mutable.ts';
import type { OrderProgress } from './orders/order-machine.ts';
import { type OwnOrder, lotsOf } from './orders/own-order.ts';
import type { TradingState } from './trading-state.ts';

/** Returns the instruments whose grid changed. */
export function regridAll(state: TradingState, instruments: Instruments): readonly Instrument[] {
  const held = [...state.positions.all(), ...state.orders.allLive(), ...state.orders.remembered()];
  const changed = new Map<string, Instrument>();
  for (const { instrument } of held) {
    const now = instruments.find(instrument.symbol);
    if (now !== undefined && !isSameGrid(instrument, now)) changed.set(now.symbol, now);
  }
  for (const instrument of changed.values()) regrid(state, instrument);
  return [...changed.values()];
}

export function regrid(state: TradingState, instrument: Instrument): void {
  const { symbol } = instrument;
  state.positions.regrid(instrument);
  for (const orders of [state.orders.allLive(), state.orders.remembered()]) {
    for (const order of orders)
      if (order.instrument.symbol === symbol && !isSameGrid(order.instrument, instrument)) recount(order, instrument);
  }
}

function isSameGrid({ spec }: Instrument, { spec: other }: Instrument): boolean {
  return dec(spec.tickSize).eq(other.tickSize) && dec(spec.lotSize).eq(other.lotSize);
}

function recount(order: OwnOrder, instrument: Instrument): void {
  const old = order.instrument;
  const { price } = order.request;
  const lots = (quantity: Decimal): number => lotsOf(instrument, decimalText(quantity));
  const counted: Mutable<OwnOrder> = order;
  const progress: Mutable<OrderProgress> = order.progress;
  // Counted from exact quantities, so that equal ones become equal lots.
  const before = { ...progress };
  progress.lots = lots(dec(order.request.quantity));
  progress.fillLots = lots(progress.fillQuantity);
  if (before.reportedLots === before.lots) progress.reportedLots = progress.lots;
  else if (before.reportedLots === before.fillLots) progress.reportedLots = progress.fillLots;
  else progress.reportedLots = lots(old.exactQuantity(before.reportedLots));
  if (price !== null) counted.ticks = dec(price).div(instrument.exactPrice(1)).toNumber();
  counted.instrument = instrument;
}
