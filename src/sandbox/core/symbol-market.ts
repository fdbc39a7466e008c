/** One traded instrument: book, statistics, unpublished trades. */
import type { Instrument } from '../../model/instrument.ts';
import type { Side } from '../../model/order.ts';
import { CandleStore } from './candles.ts';
import { OrderBook } from './order-book.ts';
import type { OrderRecord } from './order-record.ts';

export interface PublicTrade {
  readonly tradeId: string;
  readonly ticks: number;
  readonly lots: number;
  /** The taker's. */
  readonly side: Side;
  readonly ts: number;
}

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
