/** An order as the exchange keeps it, its trader, and the market it rests in. */
import { type Decimal, ZERO, decimalText } from '../../../model/numbers/money.ts';
import type { VenueFill } from '../../../model/trading/fill.ts';
import type { Instrument } from '../../../model/market/instrument.ts';
import type { Mutable } from '../../../model/mutable.ts';
import type {
  OrderReport,
  OrderType,
  PositionSide,
  Side,
  TimeInForce,
  VenueOrderStatus,
} from '../../../model/trading/order.ts';
import type { Wallet } from '../../../clearing/accounts.ts';
import type { FeeRates } from '../../../clearing/fees.ts';
import { CandleStore } from '../market/candles.ts';
import { HistoryLog } from '../history-log.ts';
import { OrderBook, type RestingOrder } from './order-book.ts';

export interface Trader {
  readonly userId: string;
  readonly wallet: Wallet;
  readonly fees: FeeRates;
  /** Null for agents, whose closed orders are dropped. */
  readonly history: TraderHistory | null;
}

/** The newest orders and trades, and every active order. */
export class TraderHistory {
  readonly orderLog: HistoryLog<OrderRecord>;
  readonly tradeLog: HistoryLog<VenueFill>;
  readonly active = new Map<string, OrderRecord>();
  readonly clientOrderIds = new Map<string, OrderRecord>();

  constructor(max: number) {
    this.orderLog = new HistoryLog(max, (record) => !record.isActive);
    this.tradeLog = new HistoryLog(max, () => true);
  }

  get orders(): readonly OrderRecord[] {
    return this.orderLog.items;
  }

  get trades(): readonly VenueFill[] {
    return this.tradeLog.items;
  }
}

export interface NewOrder {
  readonly side: Side;
  readonly type: OrderType;
  readonly timeInForce: TimeInForce;
  /** Null on market orders. */
  readonly ticks: number | null;
  readonly lots: number;
  readonly clientOrderId?: string | undefined;
  /** Derivatives only. */
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
}

export interface PublicTrade {
  readonly tradeId: string;
  readonly ticks: number;
  readonly lots: number;
  /** The taker's. */
  readonly side: Side;
  readonly ts: number;
}

/** One traded instrument: book, statistics, unpublished trades. */
export class SymbolMarket {
  readonly instrument: Instrument;
  readonly book = new OrderBook<OrderRecord>();
  readonly candles = new CandleStore();
  readonly pending: PublicTrade[] = [];
  halted = false;
  /** 0 before the first trade. */
  lastTicks = 0;
  /** Taker buys minus taker sells, lots. */
  netTakenLots = 0;

  constructor(instrument: Instrument) {
    this.instrument = instrument;
  }

  record(trade: PublicTrade): void {
    this.lastTicks = trade.ticks;
    this.netTakenLots += trade.side === 'buy' ? trade.lots : -trade.lots;
    this.candles.add(trade.ts, trade.ticks, trade.lots, trade.side);
    this.pending.push(trade);
  }
}

export class OrderRecord {
  readonly orderId: string;
  readonly trader: Trader;
  readonly market: SymbolMarket;
  readonly order: NewOrder;
  readonly createdAt: number;
  updatedAt: number;
  filledLots = 0;
  /** Σ ticks × lots of the fills. */
  filledUnits = 0n;
  /** Quote for a buy, base for a sell, zero on derivatives. */
  locked: Decimal = ZERO;
  status: VenueOrderStatus = 'new';
  reason: string | undefined = undefined;
  resting: RestingOrder<OrderRecord> | null = null;
  /** First round of a futures position that it traded in. */
  round: { readonly isOver: boolean } | null = null;
  #average: { readonly lots: number; readonly text: string } | null = null;
  wasAnnounced = false;

  constructor(orderId: string, trader: Trader, market: SymbolMarket, order: NewOrder, now: number) {
    this.orderId = orderId;
    this.trader = trader;
    this.market = market;
    this.order = order;
    this.createdAt = now;
    this.updatedAt = now;
  }

  get isActive(): boolean {
    return this.status === 'new' || this.status === 'partially_filled';
  }

  /** Quote before fees. */
  get filledValue(): Decimal {
    return this.market.instrument.exactNotional(1, 1).times(this.filledUnits.toString());
  }

  /** Null without fills. */
  get averagePrice(): string | null {
    if (this.filledLots === 0) return null;
    if (this.#average?.lots !== this.filledLots) {
      const text = averageText(this.filledValue, this.market.instrument.exactQuantity(this.filledLots));
      this.#average = { lots: this.filledLots, text };
    }
    return this.#average.text;
  }

  get leftLots(): number {
    return this.order.lots - this.filledLots;
  }
}

export function orderReport(record: OrderRecord): OrderReport {
  const { instrument } = record.market;
  const { order } = record;
  const report: Mutable<OrderReport> = {
    orderId: record.orderId,
    market: instrument.market,
    symbol: instrument.symbol,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    price: order.ticks === null ? null : instrument.priceText(order.ticks),
    quantity: instrument.quantityText(order.lots),
    filledQuantity: instrument.quantityText(record.filledLots),
    averagePrice: record.averagePrice,
    status: record.status,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
  if (order.clientOrderId !== undefined) report.clientOrderId = order.clientOrderId;
  if (order.positionSide !== undefined) report.positionSide = order.positionSide;
  if (order.reduceOnly !== undefined) report.reduceOnly = order.reduceOnly;
  if (record.reason !== undefined) report.reason = record.reason;
  return report;
}

/** The only rounded figure: 18 places, half even. "0" for no quantity. */
export function averageText(value: Decimal, quantity: Decimal): string {
  return quantity.isZero() ? '0' : decimalText(value.div(quantity).toDecimalPlaces(18, 'half-even'));
}
