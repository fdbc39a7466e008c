/** What a trade moves. */
import type { VenueFill } from '../model/fill.ts';
import type { Instruments } from '../model/instrument.ts';
import { dec, type Decimal } from '../model/money.ts';
import { positionName } from '../spine/positions.ts';

/** Signed amounts by currency, or of a position by name; empty for an unknown instrument. */
export function movesOf(fill: VenueFill, instruments: Pick<Instruments, 'find'>): ReadonlyMap<string, Decimal> {
  const instrument = instruments.find(fill.symbol);
  if (instrument === undefined) return new Map();
  const quantity = dec(fill.quantity).times(fill.side === 'buy' ? 1 : -1);
  // Profit and loss show in the settlement balance.
  if (instrument.market === 'derivative') return new Map([[positionNameOf(fill), quantity]]);
  const moved = new Map([
    [instrument.base, quantity],
    [instrument.quote, quantity.times(fill.price).neg()],
  ]);
  const before = moved.get(fill.feeCurrency);
  return moved.set(fill.feeCurrency, before === undefined ? dec(fill.fee).neg() : before.minus(fill.fee));
}

export function positionNameOf({ symbol, positionSide }: VenueFill): string {
  return positionName(symbol, positionSide ?? 'both');
}
