/**
 * Publishes changes after every operation, so REST agrees with the last push. `seq` counts pushes per channel and user,
 * with or without listeners.
 */
import type { ChannelKind, ChannelTable } from '../../exchange/interface/channels.ts';
import { PositionRow } from '../../clearing/perpetual/position-row.ts';
import type { Pocket } from '../../clearing/pocket.ts';
import type { AccountType } from '../../model/trading/account.ts';
import { ASK, BID, type BookSide } from '../../model/market/market-event.ts';
import type { Exchange } from '../core/exchange.ts';
import { MINUTE_MS } from '../core/market/candles.ts';
import {
  candleBody,
  levelRows,
  tickerBody,
  tradeBody,
  volumeRatioBody,
  type LevelRow,
} from '../core/market/market-data.ts';
import { type SymbolMarket, orderReport } from '../core/orders/order-record.ts';

/** Null user: public. */
export interface Topic {
  readonly channel: string;
  readonly userId: string | null;
  readonly key: string;
}

export function createTopic(channel: string, userId: string | null): Topic {
  return { channel, userId, key: userId === null ? channel : `${userId} ${channel}` };
}

interface Pushed {
  readonly topic: Topic;
  seq: number;
}

export interface PushSink {
  wants(topic: Topic): boolean;
  push(topic: Topic, text: string): void;
}

export class Publisher {
  readonly #exchange: Exchange;
  readonly #channels: ChannelTable;
  readonly #sink: PushSink;
  readonly #pushed = new Map<string, Pushed>();
  /** By user, kind and symbol ('' for none). */
  readonly #index = new Map<string, Map<ChannelKind, Map<string, Pushed>>>();
  readonly #tickers = new Map<string, string>();
  readonly #candles = new Map<string, { openTime: number; lots: number; closed: boolean }>();

  constructor(exchange: Exchange, channels: ChannelTable, sink: PushSink) {
    this.#exchange = exchange;
    this.#channels = channels;
    this.#sink = sink;
  }

  /** 0 before the first. */
  seq(topic: Topic): number {
    return this.#pushed.get(topic.key)?.seq ?? 0;
  }

  flush(now: number): void {
    for (const market of this.#exchange.markets.values()) {
      this.#trades(market, now);
      this.#depth(market, now);
    }
    this.#private(now);
  }

  everySecond(now: number): void {
    for (const market of this.#exchange.markets.values()) {
      const { symbol } = market.instrument;
      this.#candle(market, now);
      const state = `${market.lastTicks} ${market.book.bidTicks} ${market.book.askTicks}`;
      if (this.#tickers.get(symbol) !== state && market.lastTicks + market.book.bidTicks + market.book.askTicks > 0) {
        this.#tickers.set(symbol, state);
        this.#publish('ticker', symbol, now, () => tickerBody(market, now));
        this.#publish('volumeRatio', null, now, () => volumeRatioBody(market));
      }
    }
  }

  /** Initial state for a new subscriber, or undefined. */
  snapshot(topic: Topic, now: number): string | undefined {
    const data = this.#wholeState(topic);
    return data === undefined ? undefined : this.#frame(topic, this.seq(topic), now, data);
  }

  #wholeState({ channel, userId }: Topic): object | undefined {
    const parsed = this.#channels.parse(channel);
    if (parsed?.kind === 'depth') {
      const market = this.#exchange.markets.get(parsed.symbol ?? '');
      if (market === undefined) return undefined;
      return { type: 'snapshot', bids: levelRows(market, BID, Infinity), asks: levelRows(market, ASK, Infinity) };
    }
    if (userId === null || (parsed?.kind !== 'spotBalances' && parsed?.kind !== 'futuresBalances')) return undefined;
    const rows = this.#exchange.accounts.rows(userId);
    if (parsed.kind === 'spotBalances') return rows;
    return rows.filter((row) => this.#backsFutures(row.account, row.currency));
  }

  #depth(market: SymbolMarket, now: number): void {
    if (!market.book.hasChanges) return;
    const { instrument } = market;
    const changed: { side: BookSide; ticks: number; lots: number }[] = [];
    market.book.drain((side, ticks, lots) => changed.push({ side, ticks, lots }));
    this.#publish('depth', instrument.symbol, now, () => {
      const bids: LevelRow[] = [];
      const asks: LevelRow[] = [];
      for (const { side, ticks, lots } of changed) {
        (side === BID ? bids : asks).push([instrument.priceText(ticks), instrument.quantityText(lots)]);
      }
      return { type: 'update', bids, asks };
    });
  }

  #trades(market: SymbolMarket, now: number): void {
    if (market.pending.length === 0) return;
    const trades = market.pending.splice(0);
    const { instrument } = market;
    this.#publish('trades', instrument.symbol, now, () => trades.map((trade) => tradeBody(instrument, trade)));
  }

  #candle(market: SymbolMarket, now: number): void {
    const { instrument } = market;
    const candle = market.candles.latest;
    if (candle === undefined) return;
    const closed = candle.openTime + MINUTE_MS <= now;
    const last = this.#candles.get(instrument.symbol);
    if (last?.openTime === candle.openTime && last.lots === candle.lots && last.closed === closed) return;
    if (last !== undefined && last.openTime !== candle.openTime && !last.closed) {
      const [ended] = market.candles.list(MINUTE_MS, last.openTime, last.openTime, 1);
      if (ended !== undefined) {
        this.#publish('candles', instrument.symbol, now, () => candleBody(instrument, ended, MINUTE_MS, now));
      }
    }
    this.#candles.set(instrument.symbol, { openTime: candle.openTime, lots: candle.lots, closed });
    this.#publish('candles', instrument.symbol, now, () => candleBody(instrument, candle, MINUTE_MS, now));
  }

  /** In causal order. */
  #private(now: number): void {
    const { outbox } = this.#exchange;
    for (const [userId, trades] of Map.groupBy(outbox.trades, (trade) => trade.userId)) {
      for (const [symbol, ofSymbol] of Map.groupBy(trades, ({ fill }) => fill.symbol)) {
        this.#publish('myTrades', symbol, now, () => ofSymbol.map(({ fill }) => fill), userId);
      }
    }
    for (const record of outbox.orders) {
      const { userId } = record.trader;
      const { symbol } = record.market.instrument;
      const report = (): object => orderReport(record);
      if (record.isActive || record.wasAnnounced) this.#publish('orderInfo', symbol, now, report, userId);
      if (record.isActive) record.wasAnnounced = true;
      else this.#publish('orderHistory', symbol, now, report, userId);
    }
    for (const [userId, positions] of Map.groupBy(outbox.positions, ([, owner]) => owner)) {
      const report = (): object => positions.map(([slot]) => new PositionRow(slot));
      this.#publish('positions', null, now, report, userId);
    }
    for (const [userId, pockets] of Map.groupBy(outbox.balances, ({ owner }) => owner.userId)) {
      const rowsOf = (shown: readonly Pocket[]) => (): object => shown.map((pocket) => pocket.row());
      this.#publish('spotBalances', null, now, rowsOf(pockets), userId);
      const margin = pockets.filter(({ owner, currency }) => this.#backsFutures(owner.account, currency));
      if (margin.length > 0) this.#publish('futuresBalances', null, now, rowsOf(margin), userId);
    }
    outbox.clear();
  }

  /** Assumed: `HLORD` shows perpetuals' settlement currencies in the trading account, CLNTF everything. */
  #backsFutures(account: AccountType, currency: string): boolean {
    return account === 'unified-trading' && this.#exchange.futures.currencies.has(currency);
  }

  #publish(
    kind: ChannelKind,
    symbol: string | null,
    now: number,
    data: () => unknown,
    userId: string | null = null,
  ): void {
    const pushed =
      this.#index
        .get(userId ?? '')
        ?.get(kind)
        ?.get(symbol ?? '') ?? this.#open(kind, symbol, userId);
    const { topic } = pushed;
    const seq = ++pushed.seq;
    if (this.#sink.wants(topic)) this.#sink.push(topic, this.#frame(topic, seq, now, data()));
  }

  #open(kind: ChannelKind, symbol: string | null, userId: string | null): Pushed {
    const channel = symbol === null ? this.#channels.name(kind) : this.#channels.name(kind, symbol);
    const topic = createTopic(channel, userId);
    const pushed = { topic, seq: 0 };
    this.#pushed.set(topic.key, pushed);
    const ofUser = this.#index.get(userId ?? '') ?? new Map<ChannelKind, Map<string, Pushed>>();
    const ofKind = ofUser.get(kind) ?? new Map<string, Pushed>();
    this.#index.set(userId ?? '', ofUser.set(kind, ofKind.set(symbol ?? '', pushed)));
    return pushed;
  }

  #frame(topic: Topic, seq: number, now: number, data: unknown): string {
    return JSON.stringify({ channel: topic.channel, seq, ts: now, data });
  }
}
