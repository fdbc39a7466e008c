/**
 * Converts an action's values to ticks and lots. A number within 1e-6 of the grid is accepted; text and decimals must
 * be exact. Never rounds.
 */
import { denied, type Denied, type DenyReason } from '../model/trading/deny-reason.ts';
import type { GridLimits, Instrument } from '../model/market/instrument.ts';
import { dec, decimalOrNull, decimalText, isDecimalText, type DecimalLike } from '../model/numbers/money.ts';

export function priceTicks(instrument: Instrument, price: DecimalLike): number | Denied {
  const ticks = instrument.ticksOf(price);
  if (ticks > 0) return ticks;
  return explain(instrument, price, 'price', ticks);
}

export function quantityLots(instrument: Instrument, quantity: DecimalLike): number | Denied {
  const lots = instrument.lotsOf(quantity);
  if (lots > 0) return lots;
  return explain(instrument, quantity, 'quantity', lots);
}

/** Lots of a position: negative for a short one. */
export function signedLots(instrument: Instrument, quantity: DecimalLike): number | Denied {
  const lots = instrument.lotsOf(quantity);
  if (!Number.isNaN(lots)) return lots;
  const text = textOf(quantity);
  return explain(instrument, text?.startsWith('-') === true ? text.slice(1) : quantity, 'quantity', lots);
}

function explain(instrument: Instrument, value: DecimalLike, field: 'price' | 'quantity', index: number): Denied {
  const text = textOf(value);
  if (text === undefined) return denied('not_finite', `${field} ${String(value)} is not a decimal number`, field);
  if (index <= 0 || text.startsWith('-')) return denied('not_positive', `${field} ${text} is not above zero`, field);
  const maximum = field === 'price' ? instrument.countablePrice : instrument.countableQuantity;
  const tooMuch = `${instrument.symbol}: ${field} ${text} is above the maximum ${maximum.toFixed()}`;
  if (dec(text).gt(maximum)) return denied('above_maximum', tooMuch, field);
  return field === 'price' ? offTick(instrument, text) : offLot(instrument, text);
}

function offTick(instrument: Instrument, price: string): Denied {
  const { symbol, spec } = instrument;
  const near = Math.max(1, instrument.ticksOf(instrument.roundPrice(price, 'nearest')));
  const message = `${symbol}: price ${price} is not a multiple of the tick size ${spec.tickSize}; the nearest is ${instrument.priceText(near)}`;
  return denied('off_tick', message, 'price');
}

function offLot(instrument: Instrument, quantity: string): Denied {
  const { symbol, spec } = instrument;
  const near = Math.max(1, instrument.lotsOf(instrument.roundQuantity(quantity, 'nearest')));
  const message =
    `${symbol}: quantity ${quantity} is not a multiple of the lot size ${spec.lotSize}; the nearest is ${instrument.quantityText(near)}. ` +
    'To close a position use `flatten` or `target` 0, which round by themselves';
  return denied('off_lot', message, 'quantity');
}

function textOf(value: DecimalLike): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? decimalText(value) : undefined;
  if (typeof value === 'string') return isDecimalText(value) ? value : undefined;
  return decimalOrNull(value)?.toFixed();
}

/** `ticks`: the reference price for a market order. */
export function minLotsAt(limits: GridLimits, ticks: number): number {
  if (limits.minTickLots <= 0 || ticks <= 0) return limits.minLots;
  const forNotional = Math.ceil(limits.minTickLots / ticks);
  return forNotional > limits.minLots ? forNotional : limits.minLots;
}

export function sizeDenial(instrument: Instrument, limits: GridLimits, ticks: number, lots: number): Denied | null {
  const { symbol, spec } = instrument;
  const deny = (reason: DenyReason, what: string): Denied => denied(reason, `${symbol}: ${what}`, 'quantity');
  if (lots > limits.maxLots)
    return deny('above_maximum', `quantity ${instrument.quantityText(lots)} is above the maximum ${spec.maxQuantity}`);
  if (lots < limits.minLots)
    return deny('below_minimum', `quantity ${instrument.quantityText(lots)} is below the minimum ${spec.minQuantity}`);
  if (ticks <= 0 || limits.minTickLots <= 0 || ticks * lots >= limits.minTickLots) return null;
  const notional = decimalText(instrument.exactNotional(ticks, lots));
  return deny('below_minimum', `notional ${notional} is below the minimum ${spec.minNotional}`);
}

export function isDenied(value: number | Denied): value is Denied {
  return typeof value !== 'number';
}
