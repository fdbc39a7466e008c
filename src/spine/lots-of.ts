/** A quantity in lots of its instrument. */
import type { Instrument } from '../model/instrument.ts';
import { dec } from '../model/money.ts';

/** With a fraction when the quantity is off the grid, which needs an alarm. */
export function lotsOf(instrument: Instrument, quantity: string): number {
  const lots = instrument.lotsOf(quantity);
  return Number.isNaN(lots) ? dec(quantity).div(instrument.exactQuantity(1)).toNumber() : lots;
}
