/**
 * New derivative orders and closing requests, checked in a fixed order. Assumed: the side must exist in the account's
 * mode, else `illegal_transition`; a closing order is at most the position, and exempt from least notional and leverage
 * bounds.
 */
import { orderMarginOf, refuseClosing, refuseLeverage } from '../../../clearing/perpetual/order-margin.ts';
import { refuseSide } from '../../../clearing/position-mode.ts';
import type { PositionSide } from '../../../model/trading/order.ts';
import { decimalText } from '../../../model/numbers/money.ts';
import { limitTicksOf } from '../orders/order-flow.ts';
import type { NewOrder, OrderRecord, Trader } from '../orders/order-record.ts';
import { gridOrder, type SpotOrderRequest } from '../orders/own-orders.ts';
import { perpetualOf, type PerpetualData } from '../market/perpetuals.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import type { FuturesAccount } from './account.ts';
import type { Slot } from './slot.ts';
import type { FuturesParts } from './futures-parts.ts';
import { incomingOf } from './futures-settlement.ts';

export interface DerivativeOrderRequest extends SpotOrderRequest {
  /** Default: `both`. */
  readonly positionSide?: PositionSide | undefined;
  readonly reduceOnly?: boolean | undefined;
}

export interface CloseRequest {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  /** Default: the whole position. */
  readonly quantity?: string | undefined;
}

export class FuturesTrading {
  readonly #futures: FuturesParts;

  constructor(futures: FuturesParts) {
    this.#futures = futures;
  }

  place(trader: Trader, request: DerivativeOrderRequest, now: number): OrderRecord | Refusal {
    const { perpetuals, deps } = this.#futures;
    const data = perpetualOf(perpetuals, request.symbol);
    if (isRefusal(data)) return data;
    const refusal = deps.orders.doubt(trader, data.market, request.clientOrderId);
    if (refusal !== undefined) return refusal;
    const account = this.#futures.accountOf(trader);
    const slot = slotFor(account, data, request.positionSide ?? 'both');
    if (isRefusal(slot)) return slot;
    const closes = slot.onlyCloses(request.side, request.reduceOnly);
    const grid = gridOrder(data.market, request, closes);
    if (isRefusal(grid)) return grid;
    const order = { ...grid, positionSide: slot.side, reduceOnly: request.reduceOnly ?? false };
    const doubt = closes ? refuseClosing(slot, order.side, order.lots) : refuseSize(trader, slot, data, order);
    return doubt ?? deps.orders.submit(trader, data.market, order, now);
  }

  close(trader: Trader, request: CloseRequest, now: number): OrderRecord | Refusal {
    const data = perpetualOf(this.#futures.perpetuals, request.symbol);
    if (isRefusal(data)) return data;
    const slot = slotFor(this.#futures.accountOf(trader), data, request.positionSide);
    if (isRefusal(slot)) return slot;
    if (!slot.isOpen) return refuse('reduce_only_violation', `there is no position in ${request.symbol}`);
    const quantity = request.quantity ?? decimalText(slot.quantity.abs());
    const side = slot.quantity.gt(0) ? 'sell' : 'buy';
    const order = { symbol: request.symbol, side, type: 'market', timeInForce: 'ioc', price: null } as const;
    return this.place(trader, { ...order, quantity, positionSide: slot.side, reduceOnly: true }, now);
  }
}

function slotFor(account: FuturesAccount, data: PerpetualData, side: PositionSide): Slot | Refusal {
  return refuseSide(account.mode, side) ?? account.slot(data, side);
}

/** An order without counterparty is valued at the last trade. */
function refuseSize(trader: Trader, slot: Slot, { market }: PerpetualData, order: NewOrder): Refusal | undefined {
  const incoming = incomingOf({ market, order }, limitTicksOf(market, order));
  const { opening } = orderMarginOf(slot, incoming, trader.fees.taker);
  return refuseLeverage(slot, incoming, opening.isZero() ? market.instrument.exactPrice(market.lastTicks) : opening);
}
