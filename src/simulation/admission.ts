/**
 * What the venue refuses before it looks at money (rule A5): symbol, status, position side, minima, grid, with the wire
 * profile's codes and in the order of the sandbox, so that a strategy is told the same in every mode. Pure.
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

/** `isHedge`: the account's position mode; `isKnown`: whether its client order id was used before. */
export function admit(
  request: OrderRequest,
  instruments: Instruments,
  isHedge: boolean,
  isKnown: boolean,
): Admitted | Refusal {
  const { symbol, market, type, price, clientOrderId } = request;
  if (type === 'limit' && (price === null || Number(price) === 0))
    return refused('bad_request', 'a limit order needs a price above zero', 'price');
  const instrument = instruments.find(symbol);
  if (instrument === undefined || instrument.market !== market) {
    return refused('unknown_symbol', `${symbol} is not a ${market} instrument`, 'symbol');
  }
  if (isKnown) return refused('duplicate_client_order_id', `${clientOrderId} was used before`, 'clientOrderId');
  if (instrument.spec.status === 'halted') return refused('symbol_halted', `${symbol} is halted`, 'symbol');
  return refusedMode(request, isHedge) ?? admitQuantity(request, instrument);
}

function admitQuantity(request: OrderRequest, instrument: Instrument): Admitted | Refusal {
  const { quantity, price } = request;
  const { spec } = instrument;
  const exact = dec(quantity);
  if (exact.gt(dec(spec.maxQuantity))) {
    return refused('above_maximum', `quantity ${quantity} is above ${spec.maxQuantity}`, 'quantity');
  }
  if (exact.lte(0) || exact.lt(dec(spec.minQuantity))) {
    return refused('below_minimum', `quantity ${quantity} is below ${spec.minQuantity}`, 'quantity');
  }
  const lots = instrument.lotsOf(quantity);
  if (Number.isNaN(lots))
    return refused('off_lot', `quantity ${quantity} is not a multiple of ${spec.lotSize}`, 'quantity');
  if (request.type === 'market' || price === null) return { kind: 'admitted', instrument, lots, ticks: 0 };
  const ticks = instrument.ticksOf(price);
  if (Number.isNaN(ticks) || ticks <= 0)
    return refused('off_tick', `price ${price} is not a multiple of ${spec.tickSize}`, 'price');
  if (!closes(request) && instrument.exactNotional(ticks, lots).lt(dec(spec.minNotional))) {
    return refused('below_minimum', `${price} × ${quantity} is below ${spec.minNotional}`, 'quantity');
  }
  return { kind: 'admitted', instrument, lots, ticks };
}

/** An order that can only close a position is free of the least notional, or the last of one could never be sold. */
export function closes({ reduceOnly, positionSide, side }: OrderRequest): boolean {
  return (
    reduceOnly === true || (positionSide === 'long' && side === 'sell') || (positionSide === 'short' && side === 'buy')
  );
}

function refusedMode(request: OrderRequest, isHedge: boolean): Refusal | null {
  const { market, positionSide = 'both', reduceOnly } = request;
  const isSided = positionSide !== 'both';
  if (market === 'spot' && isSided) return refused('bad_request', 'spot has no position sides', 'positionSide');
  if (market === 'derivative' && isSided !== isHedge) {
    const mode = isHedge ? 'in hedge mode: long or short' : 'in one-way mode: both';
    return refused('illegal_transition', `the account is ${mode}`, 'positionSide');
  }
  if (market === 'spot' && reduceOnly === true)
    return refused('bad_request', 'reduce-only is for perpetuals', 'reduceOnly');
  return null;
}
