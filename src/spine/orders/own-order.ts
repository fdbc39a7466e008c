/**
 * One own order: the fixed terms that were journalled with its intent, and its progress. Mutated only by
 * `own-orders.ts` and the dispatcher; what leaves the room is a fresh, frozen `OrderUpdate`.
 */
import type { Instrument } from '../../model/instrument.ts';
import type { CreateIntentEntry, OrderOrigin } from '../../model/journal.ts';
import { decimalText, ZERO, type Decimal } from '../../model/money.ts';
import type { Mutable } from '../../model/mutable.ts';
import type { OrderRequest, OrderUpdate, PositionSide, Side } from '../../model/order.ts';
import { createProgress, filledLots, type OrderProgress } from './order-machine.ts';

export interface OwnOrder {
  readonly intentId: string;
  readonly strategy: string;
  readonly ref: string;
  readonly tag: string;
  readonly origin: OrderOrigin;
  readonly instrument: Instrument;
  readonly side: Side;
  /** +1 buys, −1 sells. */
  readonly sign: 1 | -1;
  /** 0 for market orders. */
  readonly ticks: number;
  readonly isMarket: boolean;
  readonly positionSide: PositionSide;
  readonly reduceOnly: boolean;
  /** When it was decided it reduced the account as well, so it was no new risk. */
  readonly exits: boolean;
  /** It is one lot smaller than was asked for. */
  readonly shrunk: boolean;
  readonly postOnly: boolean;
  readonly request: OrderRequest;
  /** Unix ms of the intent. */
  readonly createdAt: number;
  /** Unix ms at which the strategy decided it: before `createdAt` where other orders had to go first. */
  decidedAt: number;
  /** `createdAt` by the machine's wall clock, which counts its sleep; 0 where there is none, and when restored. */
  createdWall: number;
  /** Mid at the decision; null when unknown or restored. */
  readonly arrivalMid: number | null;
  readonly progress: OrderProgress;
  /** Unix ms at which bytes may have left; 0 before. */
  sentAt: number;
  /** The venue's clock before ours as it was signed, ms; 0 while they are near each other; null: the row that said so is lost. */
  offsetMs: number | null;
  /** Unix ms of the first proof that it exists; 0 before. */
  ackedAt: number;
  /** Unix ms at which the venue said that it is over; 0 while it has not. */
  endedAt: number;
  /** Of its newest fill, by the exchange's stamp, Unix ms; 0 without one. */
  filledTo: number;
  orderId: string | undefined;
  /** Given to the venue (it may still wait in a queue there). */
  handed: boolean;
  /** Asked, and to leave in the same moment, as soon as its row is durable. */
  leaving: boolean;
  /** Counted as accepted. */
  counted: boolean;
  /** It should not stand any more: cancelled as soon as it can be, again if need be. */
  cancelWanted: boolean;
  /** Intent id of the cancel on its way. */
  cancelIntent: string | undefined;
  /** The venue refused a cancel: ask before cancelling again. */
  cancelDoubt: boolean;
  /** By the exchange's clock, Unix ms: the first complete poll without a trace of it; 0 when there is none. */
  absentSince: number;
  reason: string | undefined;
  message: string | undefined;
  /** What its fills add up to, as text; null before it was asked for. */
  filledAs: FilledTexts | null;
}

interface FilledTexts {
  /** Σ of the fills that the texts tell of. */
  readonly cost: Decimal;
  readonly quantity: Decimal;
  readonly quantityText: string;
  readonly averageText: string;
}

/** As its intent says, before anything has left. `ticks`, `lots`: those of the entry's order; `mid`: at its decision. */
export function newOrder(
  entry: CreateIntentEntry,
  instrument: Instrument,
  ticks: number,
  lots: number,
  ts: number,
  mid: number | null,
): OwnOrder {
  const { order: request } = entry;
  return {
    intentId: entry.intentId,
    strategy: entry.strategy,
    ref: entry.ref,
    tag: entry.tag,
    origin: entry.origin,
    instrument,
    side: request.side,
    sign: request.side === 'buy' ? 1 : -1,
    ticks,
    isMarket: request.type === 'market',
    positionSide: request.positionSide ?? 'both',
    reduceOnly: entry.reduceOnly,
    exits: entry.reduceOnly && entry.newRisk !== true,
    shrunk: entry.shrunk === true,
    postOnly: entry.postOnly,
    request,
    createdAt: ts,
    decidedAt: ts,
    createdWall: 0,
    arrivalMid: mid,
    progress: createProgress(lots),
    sentAt: entry.adoptedFrom ?? 0,
    offsetMs: 0,
    ackedAt: 0,
    endedAt: 0,
    filledTo: 0,
    orderId: undefined,
    handed: false,
    leaving: false,
    counted: false,
    cancelWanted: false,
    cancelIntent: undefined,
    cancelDoubt: false,
    absentSince: 0,
    reason: undefined,
    message: undefined,
    filledAs: null,
  };
}

export function filledText(order: OwnOrder): string {
  const { progress } = order;
  const lots = filledLots(progress);
  if (lots === 0) return '0';
  if (progress.fillLots >= progress.reportedLots && progress.trades !== null) return textsOf(order).quantityText;
  return Number.isSafeInteger(lots)
    ? order.instrument.quantityText(lots)
    : decimalText(order.instrument.exactQuantity(lots));
}

/** Decimal places beyond the tick at which an average price is cut. */
const AVERAGE_EXTRA_PLACES = 8;

export function averageText(order: OwnOrder): string | null {
  const { progress } = order;
  if (progress.trades === null || progress.fillLots < progress.reportedLots) return progress.reportedAverage;
  if (progress.fillQuantity.isZero()) return null;
  return textsOf(order).averageText;
}

/** Made once after a fill, since several updates tell them. */
function textsOf(order: OwnOrder): FilledTexts {
  const { filledAs, instrument, progress } = order;
  const { fillCost: cost, fillQuantity: quantity } = progress;
  if (filledAs !== null && filledAs.cost === cost && filledAs.quantity === quantity) return filledAs;
  const average = quantity.isZero() ? ZERO : (progress.fillPrice ?? cost.div(quantity));
  order.filledAs = {
    cost,
    quantity,
    quantityText: decimalText(quantity),
    averageText: decimalText(average.toDecimalPlaces(instrument.pricePrecision + AVERAGE_EXTRA_PLACES)),
  };
  return order.filledAs;
}

/** What a strategy sees of the order now. */
export function orderUpdate(order: OwnOrder, ts: number): OrderUpdate {
  const { request } = order;
  const update: Mutable<OrderUpdate> = {
    ts,
    ref: order.ref,
    tag: order.tag,
    symbol: request.symbol,
    side: order.side,
    type: request.type,
    timeInForce: request.timeInForce,
    price: request.price,
    quantity: request.quantity,
    filledQuantity: filledText(order),
    averagePrice: averageText(order),
    state: order.progress.state,
  };
  if (order.orderId !== undefined) update.orderId = order.orderId;
  if (request.positionSide !== undefined) update.positionSide = request.positionSide;
  if (order.reduceOnly) update.reduceOnly = true;
  if (order.postOnly) update.postOnly = true;
  if (order.reason !== undefined) update.reason = order.reason;
  if (order.message !== undefined) update.message = order.message;
  return Object.freeze(update);
}
