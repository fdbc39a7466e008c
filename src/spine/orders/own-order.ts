/** One own order: its journalled terms and its progress. */
import type { ExitOnBars } from '../../model/venue.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { CreateIntentEntry, OrderOrigin } from '../../model/entries/journal.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../model/numbers/money.ts';
import type { Mutable } from '../../model/mutable.ts';
import type { OrderReport, OrderRequest, OrderUpdate, PositionSide, Side } from '../../model/trading/order.ts';
import { filledLots, OrderProgress, type ReportFacts } from './order-machine.ts';

export class OwnOrder {
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
  /** At the decision it reduced the account's position too, so it was no new risk. */
  readonly exits: boolean;
  /** One lot smaller than requested. */
  readonly shrunk: boolean;
  /** Set in the later orders of a split exit: ref of the first. */
  readonly partOf: string | undefined;
  /** Ref of the parent program, and which of its orders this is. */
  readonly parent: string | undefined;
  readonly leg: string | undefined;
  readonly postOnly: boolean;
  readonly request: OrderRequest;
  /** Unix ms of the intent. */
  readonly createdAt: number;
  /** Unix ms of the strategy's decision. Earlier than `createdAt` when other orders had to go first. */
  decidedAt: number;
  /** Not restored by a later process. */
  onBars: ExitOnBars | undefined = undefined;
  /** `createdAt` by the wall clock, which advances while the machine sleeps. 0: none, or restored. */
  createdWall = 0;
  /** Mid at the decision; null: unknown or restored. */
  readonly arrivalMid: number | null;
  readonly progress: OrderProgress;
  /** Unix ms at which bytes may have left; 0 before. */
  sentAt: number;
  /** Clock skew at signing: venue clock minus this machine's, ms. 0: small; null: lost. */
  offsetMs: number | null = 0;
  /** Unix ms of the first evidence that it exists; 0 before. */
  ackedAt = 0;
  /** Unix ms at which the venue first reported it closed; 0 before. */
  endedAt = 0;
  /** Exchange time of the newest fill, Unix ms; 0: none. */
  filledTo = 0;
  orderId: string | undefined = undefined;
  /** Given to the venue, where it may wait in a queue. */
  handed = false;
  /** Leaves as soon as its row is durable. */
  leaving = false;
  counted = false;
  /** To be cancelled, with repeats if needed. */
  cancelWanted = false;
  /** A pause or a protection of its strategy cancels it. Its program sends it again afterwards. */
  heldBack = false;
  /** State of the last cancel. After `failed`, or `acknowledged` without effect, a poll decides. */
  cancel: 'none' | 'sent' | 'acknowledged' | 'failed' = 'none';
  /** Exchange time of the first complete poll without it, Unix ms; 0: none. */
  absentSince = 0;
  reason: string | undefined = undefined;
  message: string | undefined = undefined;
  filledAs: FilledTexts | null = null;

  constructor(
    entry: CreateIntentEntry,
    instrument: Instrument,
    ticks: number,
    lots: number,
    ts: number,
    mid: number | null,
  ) {
    const { order: request } = entry;
    this.intentId = entry.intentId;
    this.strategy = entry.strategy;
    this.ref = entry.ref;
    this.tag = entry.tag;
    this.origin = entry.origin;
    this.instrument = instrument;
    this.side = request.side;
    this.sign = request.side === 'buy' ? 1 : -1;
    this.ticks = ticks;
    this.isMarket = request.type === 'market';
    this.positionSide = request.positionSide ?? 'both';
    this.reduceOnly = entry.reduceOnly;
    this.exits = entry.reduceOnly && entry.newRisk !== true;
    this.shrunk = entry.shrunk === true;
    this.partOf = entry.partOf;
    this.parent = entry.parent;
    this.leg = entry.leg;
    this.postOnly = entry.postOnly;
    this.request = request;
    this.createdAt = ts;
    this.decidedAt = ts;
    this.arrivalMid = mid;
    this.progress = new OrderProgress(lots);
    this.sentAt = entry.adoptedFrom ?? 0;
  }
}

/** A quantity in lots. It has a fraction when the quantity is off the grid, which needs an alarm. */
export function lotsOf(instrument: Instrument, quantity: string): number {
  const lots = instrument.lotsOf(quantity);
  return Number.isNaN(lots) ? dec(quantity).div(instrument.exactQuantity(1)).toNumber() : lots;
}

export function reported({ instrument }: OwnOrder, { status, filledQuantity, averagePrice }: OrderReport): ReportFacts {
  return { status, filledLots: lotsOf(instrument, filledQuantity), averagePrice };
}

interface FilledTexts {
  /** Σ of the fills in the texts. */
  readonly cost: Decimal;
  readonly quantity: Decimal;
  readonly quantityText: string;
  readonly averageText: string;
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

/** Decimal places beyond those of the tick. */
const AVERAGE_EXTRA_PLACES = 8;

export function averageText(order: OwnOrder): string | null {
  const { progress } = order;
  if (progress.trades === null || progress.fillLots < progress.reportedLots) return progress.reportedAverage;
  if (progress.fillQuantity.isZero()) return null;
  return textsOf(order).averageText;
}

/** Cached, since several updates use them. */
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

/** A cancel is in flight, or had no effect yet. */
export function isCanceling({ cancel }: OwnOrder): boolean {
  return cancel === 'sent' || cancel === 'acknowledged';
}

export function orderUpdate(order: OwnOrder, ts: number): OrderUpdate {
  const { request } = order;
  const { state } = order.progress;
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
    state: isCanceling(order) && (state === 'open' || state === 'partially_filled') ? 'canceling' : state,
  };
  if (order.orderId !== undefined) update.orderId = order.orderId;
  if (request.positionSide !== undefined) update.positionSide = request.positionSide;
  if (order.reduceOnly) update.reduceOnly = true;
  if (order.postOnly) update.postOnly = true;
  if (order.parent !== undefined) update.parent = order.parent;
  if (order.leg !== undefined) update.leg = order.leg;
  if (order.reason !== undefined) update.reason = order.reason;
  if (order.message !== undefined) update.message = order.message;
  return Object.freeze(update);
}
