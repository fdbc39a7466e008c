/**
 * What the venue refuses before it looks at money (rule A5): symbol, status, grid, minima, with the wire profile's codes.
 * Pure.
 */
import type { Instrument, Instruments } from '../model/instrument.ts';
import { dec } from '../model/money.ts';
import type { OrderRequest } from '../model/order.ts';
import type { Outcome } from '../model/result.ts';

export type Refusal = Extract<Outcome, { readonly kind: 'refused' }>;

export interface Admitted {
  readonly kind: 'admitted';
  readonly instrument: Instrument;
  readonly lots: number;
  /** 0 on market orders. */
  readonly ticks: number;
}

export function refused(code: string, message: string, field?: string): Refusal {
  return field === undefined ? { kind: 'refused', code, message } : { kind: 'refused', code, message, field };
}

/** `isHedge`: the account's position mode. */
export function admit(request: OrderRequest, instruments: Instruments, isHedge: boolean): Admitted | Refusal {
  const { symbol, market, quantity } = request;
  const instrument = instruments.find(symbol);
  if (instrument === undefined || instrument.market !== market) {
    return refused('unknown_symbol', `${symbol} is not a ${market} instrument`, 'symbol');
  }
  const { spec } = instrument;
  if (spec.status === 'halted') return refused('symbol_halted', `${symbol} is halted`, 'symbol');
  const lots = instrument.lotsOf(quantity);
  if (Number.isNaN(lots))
    return refused('off_lot', `quantity ${quantity} is not a multiple of ${spec.lotSize}`, 'quantity');
  const exact = dec(quantity);
  if (lots <= 0 || exact.lt(dec(spec.minQuantity))) {
    return refused('below_minimum', `quantity ${quantity} is below ${spec.minQuantity}`, 'quantity');
  }
  if (exact.gt(dec(spec.maxQuantity))) {
    return refused('above_maximum', `quantity ${quantity} is above ${spec.maxQuantity}`, 'quantity');
  }
  const mode = refusedMode(request, isHedge);
  if (mode !== null) return mode;
  if (request.type === 'market') return { kind: 'admitted', instrument, lots, ticks: 0 };
  return admitPrice(request, instrument, lots);
}

function admitPrice(request: OrderRequest, instrument: Instrument, lots: number): Admitted | Refusal {
  const { price, quantity } = request;
  const { spec } = instrument;
  if (price === null) return refused('bad_request', 'a limit order needs a price', 'price');
  const ticks = instrument.ticksOf(price);
  if (Number.isNaN(ticks) || ticks <= 0)
    return refused('off_tick', `price ${price} is not a multiple of ${spec.tickSize}`, 'price');
  if (instrument.exactNotional(ticks, lots).lt(dec(spec.minNotional))) {
    return refused('below_minimum', `${price} × ${quantity} is below ${spec.minNotional}`, 'quantity');
  }
  return { kind: 'admitted', instrument, lots, ticks };
}

function refusedMode(request: OrderRequest, isHedge: boolean): Refusal | null {
  const { market, positionSide = 'both', reduceOnly } = request;
  const isSided = positionSide !== 'both';
  if (market === 'spot' ? isSided : isSided !== isHedge) {
    const mode = isHedge ? 'in hedge mode: long or short' : 'in one-way mode';
    return refused('bad_request', `the account is ${mode}`, 'positionSide');
  }
  if (market === 'spot' && reduceOnly === true)
    return refused('bad_request', 'reduce-only is for perpetuals', 'reduceOnly');
  return null;
}
