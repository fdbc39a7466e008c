/**
 * One instrument as it trades: its book, its statistics from trades, and the trades that are not published yet.
 * Created by `exchange.ts`, driven by `order-flow.ts`, read by the public routes and the publisher.
 */
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
  /** Trades since the last publication; the publisher empties it after every operation. */
  readonly pending: PublicTrade[] = [];
  halted = false;
  /** Ticks of the last trade; 0 before the first. */
  lastTicks = 0;
  /** Lots that takers ever bought less those they sold. */
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
