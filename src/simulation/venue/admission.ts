/**
 * Refusals that need no money: symbol, status, position side, minima, grid. Codes and order are those of the sandbox.
 */
import { onGrid } from '../../clearing/grid.ts';
import { onlyCloses, refuseSide, type PositionMode } from '../../clearing/position-mode.ts';
import type { ClearingRefusal } from '../../clearing/refusal.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { OrderRequest } from '../../model/trading/order.ts';
import type { Outcome } from '../../model/result.ts';

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

export function refusedBy({ code, message, field }: ClearingRefusal): Refusal {
  return { kind: 'refused', code, message, field };
}

/** `isKnown`: the client order id was used before. */
export function admit(
  request: OrderRequest,
  instruments: Instruments,
  mode: PositionMode,
  isKnown: boolean,
): Admitted | Refusal {
  const { symbol, market, type, price, clientOrderId } = request;
  if (type === 'limit' && (price === null || Number(price) === 0))
    return refused('bad_request', 'a limit order needs a price above zero', 'price');
  const instrument = instruments.find(symbol);
  if (instrument === undefined || instrument.market !== market) {
    return refused('unknown_symbol', `${symbol} is not a ${market} instrument`, 'symbol');
  }
  if (isKnown) {
    return refused('duplicate_client_order_id', `clientOrderId ${clientOrderId} was used before`, 'clientOrderId');
  }
  if (instrument.spec.status === 'halted') return refused('symbol_halted', `${symbol} is halted`, 'symbol');
  return refusedMode(request, mode) ?? admitQuantity(request, instrument);
}

function admitQuantity(request: OrderRequest, instrument: Instrument): Admitted | Refusal {
  const { quantity } = request;
  const price = request.type === 'market' ? null : request.price;
  const grid = onGrid(instrument, { quantity, price, closes: closes(request), touchTicks: 0 });
  if (grid.kind === 'refusal') return refusedBy(grid);
  return { kind: 'admitted', instrument, lots: grid.lots, ticks: grid.ticks ?? 0 };
}

export function closes({ reduceOnly, positionSide, side }: OrderRequest): boolean {
  return onlyCloses(positionSide, side, reduceOnly);
}

function refusedMode({ market, positionSide = 'both', reduceOnly }: OrderRequest, mode: PositionMode): Refusal | null {
  if (market === 'derivative') {
    const wrong = refuseSide(mode, positionSide);
    return wrong === undefined ? null : refusedBy(wrong);
  }
  if (positionSide !== 'both') return refused('bad_request', 'spot has no position sides', 'positionSide');
  return reduceOnly === true ? refused('bad_request', 'reduce-only is for perpetuals', 'reduceOnly') : null;
}
