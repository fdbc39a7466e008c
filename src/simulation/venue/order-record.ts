/** An own order as the simulated venue reports it. */
import type { Instrument } from '../../model/market/instrument.ts';
import { ASK, BID } from '../../model/market/market-event.ts';
import { decimalText, type Decimal, ZERO } from '../../model/numbers/money.ts';
import type { Mutable } from '../../model/mutable.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Liquidity, OrderReport, OrderRequest, VenueOrderStatus } from '../../model/trading/order.ts';
import { US_PER_MS } from '../../model/time.ts';
import type { Admitted } from './admission.ts';
import { workingOrder, type WorkingOrder } from '../matching/working-order.ts';

export interface OrderRecord {
  readonly orderId: string;
  readonly request: OrderRequest;
  readonly instrument: Instrument;
  readonly working: WorkingOrder;
  readonly lots: number;
  readonly quantityText: string;
  readonly createdUs: number;
  filledLots: number;
  /** Σ price × quantity of its fills. */
  filledValue: Decimal;
  status: VenueOrderStatus;
  updatedUs: number;
  reason: string | undefined;
  /** While all fills have one price; 0 before the first, NaN when they differ. */
  filledTicks: number;
  /** Of its last fill. */
  filledPrice: string;
  /** Reused while unchanged. */
  report: OrderReport | null;
  reportedLots: number;
}

export function newRecord(orderId: string, request: OrderRequest, admitted: Admitted, us: number): OrderRecord {
  const { instrument, lots, ticks } = admitted;
  const side = request.side === 'buy' ? BID : ASK;
  const market = request.type === 'market';
  const limit = market ? (side === BID ? Infinity : -Infinity) : ticks;
  const rests = !market && request.timeInForce === 'gtc';
  return recordOf(workingOrder(orderId, side, limit, lots, rests), request, instrument, lots, us);
}

/** `lots`: of the whole order, nothing filled yet. */
export function recordOf(
  working: WorkingOrder,
  request: OrderRequest,
  instrument: Instrument,
  lots: number,
  us: number,
): OrderRecord {
  return {
    orderId: working.id,
    request,
    instrument,
    working,
    lots,
    quantityText: instrument.quantityText(lots),
    createdUs: us,
    updatedUs: us,
    filledLots: 0,
    filledValue: ZERO,
    status: 'new',
    reason: undefined,
    filledTicks: 0,
    filledPrice: '0',
    report: null,
    reportedLots: 0,
  };
}

const AVERAGE_PLACES = 18;

export function msOfUs(us: number): number {
  return Math.floor(us / US_PER_MS);
}

export function isClosed(status: VenueOrderStatus): boolean {
  return status !== 'new' && status !== 'partially_filled';
}

function averageText({ instrument, filledLots, filledValue, filledTicks, filledPrice }: OrderRecord): string {
  const hasOnePrice = filledTicks > 0;
  if (hasOnePrice && instrument.pricePrecision <= AVERAGE_PLACES) return filledPrice;
  const average = filledValue.div(instrument.exactQuantity(filledLots));
  return decimalText(average.toDecimalPlaces(AVERAGE_PLACES));
}

function quantityTextOf({ instrument, lots, quantityText }: OrderRecord, part: number): string {
  return part === lots ? quantityText : instrument.quantityText(part);
}

interface Traded {
  readonly lots: number;
  readonly liquidity: Liquidity;
  /** Exchange time, µs. */
  readonly us: number;
}

interface Settled {
  readonly fee: { readonly currency: string; readonly amount: Decimal };
  readonly realizedPnl?: Decimal;
}

/** At the price of the record's last fill. */
export function fillOf(record: OrderRecord, tradeId: string, traded: Traded, settled: Settled): VenueFill {
  const { instrument, request } = record;
  const { fee, realizedPnl } = settled;
  const fill: Mutable<VenueFill> = {
    tradeId,
    orderId: record.orderId,
    symbol: instrument.symbol,
    market: instrument.market,
    side: request.side,
    price: record.filledPrice,
    quantity: quantityTextOf(record, traded.lots),
    fee: decimalText(fee.amount),
    feeCurrency: fee.currency,
    liquidity: traded.liquidity,
    ts: msOfUs(traded.us),
  };
  if (instrument.market === 'derivative') fill.positionSide = request.positionSide ?? 'both';
  if (realizedPnl !== undefined) fill.realizedPnl = decimalText(realizedPnl);
  return fill;
}

/** Cached until the order changes. */
export function reportOf(record: OrderRecord): OrderReport {
  const { report, filledLots, status, reason } = record;
  const isFresh =
    report !== null &&
    record.reportedLots === filledLots &&
    report.status === status &&
    report.reason === reason &&
    report.updatedAt === msOfUs(record.updatedUs);
  if (isFresh) return report;
  record.report = newReport(record);
  record.reportedLots = filledLots;
  return record.report;
}

function newReport(record: OrderRecord): OrderReport {
  const { request, filledLots, report: before } = record;
  const isSameFill = before !== null && filledLots === record.reportedLots;
  const report: Mutable<OrderReport> = {
    orderId: record.orderId,
    clientOrderId: request.clientOrderId,
    market: request.market,
    symbol: request.symbol,
    side: request.side,
    type: request.type,
    timeInForce: request.timeInForce,
    price: request.type === 'market' ? null : request.price,
    quantity: record.quantityText,
    filledQuantity: isSameFill ? before.filledQuantity : quantityTextOf(record, filledLots),
    averagePrice: isSameFill ? before.averagePrice : filledLots === 0 ? null : averageText(record),
    status: record.status,
    createdAt: msOfUs(record.createdUs),
    updatedAt: msOfUs(record.updatedUs),
  };
  if (request.positionSide !== undefined) report.positionSide = request.positionSide;
  if (request.reduceOnly !== undefined) report.reduceOnly = request.reduceOnly;
  if (record.reason !== undefined) report.reason = record.reason;
  return report;
}
