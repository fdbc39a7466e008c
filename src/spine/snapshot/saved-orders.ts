/** The orders of a snapshot: one table, and lists of indexes into it. Usual values are left out. */
import type { OrderProgress } from '../orders/order-machine.ts';
import type { FiledOrders } from '../orders/own-orders.ts';
import type { OwnOrder } from '../orders/own-order.ts';
import { TradeIds } from '../orders/trade-ids.ts';
import { decimalOf, savedDecimal } from './saved-decimal.ts';
import type { SpecTable } from './spec-table.ts';

interface SavedProgress extends Omit<OrderProgress, 'fillCost' | 'fillQuantity' | 'fillPrice' | 'trades'> {
  readonly fillCost: string;
  readonly fillQuantity: string;
  readonly fillPrice: string | null;
  readonly trades: readonly string[] | null;
}

/** `ticks`: null where the price is on no tick. */
interface SavedOrder extends Omit<OwnOrder, 'instrument' | 'progress' | 'filledAs' | 'ticks'> {
  readonly instrument: number;
  readonly ticks: number | null;
  readonly progress: Partial<SavedProgress>;
}

export interface SavedOrders {
  readonly orders: readonly Partial<SavedOrder>[];
  readonly live: readonly (readonly [symbol: string, orders: readonly number[]])[];
  readonly closed: readonly number[];
  readonly forgotten: readonly number[];
  readonly forgottenTo: number;
}

const USUAL_ORDER = {
  tag: '',
  positionSide: 'both',
  isMarket: false,
  reduceOnly: false,
  exits: false,
  shrunk: false,
  partOf: undefined,
  parent: undefined,
  leg: undefined,
  postOnly: false,
  createdWall: 0,
  arrivalMid: null,
  sentAt: 0,
  offsetMs: 0,
  ackedAt: 0,
  endedAt: 0,
  filledTo: 0,
  orderId: undefined,
  handed: true,
  leaving: false,
  counted: false,
  cancelWanted: false,
  cancel: 'none',
  absentSince: 0,
  reason: undefined,
  message: undefined,
} satisfies Partial<OwnOrder>;

const USUAL_PROGRESS = {
  sent: true,
  terminal: 0,
  reportedLots: 0,
  reportedAverage: null,
  fillLots: 0,
  fillCost: '0/0',
  fillQuantity: '0/0',
  fillPrice: null,
  trades: null,
} satisfies Partial<SavedProgress>;

export function savedOrders({ all, live, closed, forgotten, forgottenTo }: FiledOrders, specs: SpecTable): SavedOrders {
  const numbers = new Map(all.map((order, number) => [order, number]));
  const numbersOf = (orders: readonly OwnOrder[]): readonly number[] => orders.map((order) => numbers.get(order) ?? -1);
  return {
    orders: all.map((order) => savedOrder(order, specs)),
    live: live.map(([symbol, orders]) => [symbol, numbersOf(orders)]),
    closed: numbersOf(closed),
    forgotten: numbersOf(forgotten),
    forgottenTo,
  };
}

export function filedOrders(saved: SavedOrders, specs: SpecTable): FiledOrders {
  const all = saved.orders.map((order) => orderOf(order as SavedOrder, specs));
  const at = (number: number): OwnOrder => {
    const order = all[number];
    if (order === undefined) throw new RangeError(`the snapshot has no order ${number}`);
    return order;
  };
  return {
    all,
    live: saved.live.map(([symbol, numbers]) => [symbol, numbers.map(at)]),
    closed: saved.closed.map(at),
    forgotten: saved.forgotten.map(at),
    forgottenTo: saved.forgottenTo,
  };
}

function savedOrder(order: OwnOrder, specs: SpecTable): Partial<SavedOrder> {
  const { instrument, progress, filledAs: _texts, ticks, ...plain } = order;
  return {
    ...unusual(plain, USUAL_ORDER),
    instrument: specs.numberOf(instrument),
    ticks: Number.isNaN(ticks) ? null : ticks,
    progress: savedProgress(progress),
  };
}

function orderOf({ instrument, progress, ticks, ...plain }: SavedOrder, specs: SpecTable): OwnOrder {
  return {
    ...USUAL_ORDER,
    ...plain,
    ticks: ticks ?? Number.NaN,
    instrument: specs.at(instrument),
    progress: progressOf(progress),
    filledAs: null,
  };
}

function savedProgress({ fillCost, fillQuantity, fillPrice, trades, ...plain }: OrderProgress): SavedOrder['progress'] {
  const progress: SavedProgress = {
    ...plain,
    fillCost: savedDecimal(fillCost),
    fillQuantity: savedDecimal(fillQuantity),
    fillPrice: fillPrice === null ? null : savedDecimal(fillPrice),
    trades: trades === null ? null : trades.all(),
  };
  return unusual(progress, USUAL_PROGRESS);
}

function progressOf(saved: SavedOrder['progress']): OrderProgress {
  const { fillCost, fillQuantity, fillPrice, trades, ...plain } = { ...USUAL_PROGRESS, ...saved } as SavedProgress;
  return {
    ...plain,
    fillCost: decimalOf(fillCost),
    fillQuantity: decimalOf(fillQuantity),
    fillPrice: fillPrice === null ? null : decimalOf(fillPrice),
    trades: trades === null ? null : tradeIds(trades),
  };
}

function tradeIds(ids: readonly string[]): TradeIds {
  const trades = new TradeIds();
  for (const id of ids) trades.add(id);
  return trades;
}

function unusual<T extends object>(value: T, usual: Partial<T>): Partial<T> {
  const rest: Partial<T> = { ...value };
  for (const name of Object.keys(usual) as (keyof T)[]) if (rest[name] === usual[name]) delete rest[name];
  return rest;
}
