/**
 * New derivative orders and closing requests: checked in a fixed order, then handed to the order flow. Refusals are rows
 * of the business table. Assumed: an order names a side of the account's mode, else `illegal_transition`; a closing order
 * is never greater than the position; orders that only close are free of the least notional and of leverage bounds.
 */
import type { PositionSide } from '../../../model/order.ts';
import { limitTicksOf, type OrderFlow } from '../order-flow.ts';
import { gridOrder, type SpotOrderRequest } from '../order-grid.ts';
import type { NewOrder, OrderRecord, Trader } from '../order-record.ts';
import { refuseByHistory, type OwnOrders } from '../own-orders.ts';
import type { PerpetualData } from '../perpetuals.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import { openingPrice } from './admission.ts';
import { notionalAfter, type MarginAccount } from './margin-account.ts';
import type { PositionSlot } from './position-slot.ts';

export interface DerivativeOrderRequest extends SpotOrderRequest {
  /** Default: `both`. */
  readonly positionSide?: PositionSide | undefined;
  readonly reduceOnly?: boolean | undefined;
}

export interface CloseRequest {
  readonly symbol: string;
  readonly positionSide: PositionSide;
  /** The whole position when left out. */
  readonly quantity?: string | undefined;
}

export interface TradingPorts {
  readonly flow: OrderFlow;
  readonly orders: OwnOrders;
  readonly perpetuals: ReadonlyMap<string, PerpetualData>;
  readonly clientOrderIds: boolean;
  readonly activeOrdersMax: number;
  accountOf(trader: Trader): MarginAccount;
}

export class FuturesTrading {
  readonly #ports: TradingPorts;

  constructor(ports: TradingPorts) {
    this.#ports = ports;
  }

  /** Places an order; answers it as it is after matching. */
  place(trader: Trader, request: DerivativeOrderRequest, now: number): OrderRecord | Refusal {
    const data = perpetualOf(this.#ports.perpetuals, request.symbol);
    if (isRefusal(data)) return data;
    const clientOrderId = this.#ports.clientOrderIds ? request.clientOrderId : undefined;
    const refusal = refuseByHistory(trader.history, clientOrderId, this.#ports.activeOrdersMax);
    if (refusal !== undefined) return refusal;
    if (data.market.halted) return refuse('symbol_halted', `${request.symbol} is halted`, 'symbol');
    const account = this.#ports.accountOf(trader);
    const slot = slotFor(account, data, request.positionSide ?? 'both');
    if (isRefusal(slot)) return slot;
    const closes = slot.onlyCloses(request.side, request.reduceOnly ?? false);
    const grid = gridOrder(data.market, { ...request, clientOrderId }, closes);
    if (isRefusal(grid)) return grid;
    const order = { ...grid, positionSide: slot.side, reduceOnly: request.reduceOnly ?? false };
    const doubt = closes ? refuseClosing(slot, order) : refuseLeverage(account, slot, order);
    return doubt ?? this.#submit(trader, data, order, now);
  }

  /** Closes at market. */
  close(trader: Trader, request: CloseRequest, now: number): OrderRecord | Refusal {
    const data = perpetualOf(this.#ports.perpetuals, request.symbol);
    if (isRefusal(data)) return data;
    const slot = slotFor(this.#ports.accountOf(trader), data, request.positionSide);
    if (isRefusal(slot)) return slot;
    if (!slot.isOpen) return refuse('reduce_only_violation', `there is no position in ${request.symbol}`);
    const quantity = request.quantity ?? data.market.instrument.quantityText(lotsOf(slot));
    const side = slot.quantity.gt(0) ? 'sell' : 'buy';
    const order = { symbol: request.symbol, side, type: 'market', timeInForce: 'ioc', price: null } as const;
    return this.place(trader, { ...order, quantity, positionSide: slot.side, reduceOnly: true }, now);
  }

  #submit(trader: Trader, data: PerpetualData, order: NewOrder, now: number): OrderRecord | Refusal {
    const record = this.#ports.flow.submit(trader, data.market, order, now);
    if (!isRefusal(record)) this.#ports.orders.keep(record);
    return record;
  }
}

export function perpetualOf(perpetuals: ReadonlyMap<string, PerpetualData>, symbol: string): PerpetualData | Refusal {
  return perpetuals.get(symbol) ?? refuse('unknown_symbol', `there is no perpetual ${symbol}`, 'symbol');
}

function slotFor(account: MarginAccount, data: PerpetualData, side: PositionSide): PositionSlot | Refusal {
  if (account.allows(side)) return account.slot(data, side);
  const sides = account.mode === 'hedge' ? 'long or short' : 'both';
  return refuse('illegal_transition', `in ${account.mode} mode the position side is ${sides}`, 'positionSide');
}

function lotsOf(slot: PositionSlot): number {
  return slot.data.market.instrument.lotsOf(slot.quantity.abs());
}

function refuseClosing(slot: PositionSlot, { side, lots }: NewOrder): Refusal | undefined {
  const { instrument } = slot.data.market;
  const closable = slot.closable(side);
  if (instrument.exactQuantity(lots).lte(closable)) return undefined;
  return refuse('reduce_only_violation', `the position allows to ${side} ${closable.toFixed()} only`, 'quantity');
}

function refuseLeverage(account: MarginAccount, slot: PositionSlot, order: NewOrder): Refusal | undefined {
  const { market } = slot.data;
  const { instrument } = market;
  const opening = openingPrice({ market, order }, limitTicksOf(market, order));
  const price = opening.isZero() ? instrument.exactPrice(market.lastTicks) : opening;
  const quantity = instrument.exactQuantity(order.lots).times(slot.unit);
  const { leverage } = account.termsOf(slot.symbol);
  const allowed = slot.data.tiers.maxNotional(leverage);
  const after = notionalAfter(slot, { side: order.side, price, quantity });
  if (after.lte(allowed) || after.lte(notionalAfter(slot))) return undefined;
  return refuse(
    'leverage_too_high',
    `leverage ${leverage} allows a notional up to ${allowed.toFixed()}, this order would make it ${after.toFixed()}`,
    'quantity',
  );
}
