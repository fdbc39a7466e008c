/**
 * The core of the sandbox as its routes call it: requests in text, checks, locks, double-entry balances, fees and their
 * transactions, history of orders and trades, what is to be published and its sequence numbers (nobody listens). The
 * peers do none of it. Two users, who place in turn.
 */
import { dec } from '../../src/model/numbers/money.ts';
import { BID } from '../../src/model/market/market-event.ts';
import type { Market } from '../../src/model/market/instrument.ts';
import { Exchange } from '../../src/sandbox/core/exchange.ts';
import type { OrderRecord, SymbolMarket, Trader } from '../../src/sandbox/core/orders/order-record.ts';
import { isRefusal } from '../../src/sandbox/core/refusal.ts';
import type { SpotOrderRequest } from '../../src/sandbox/core/orders/own-orders.ts';
import { createChannelTable } from '../../src/exchange/interface/channels.ts';
import { Publisher } from '../../src/sandbox/sockets/publisher.ts';
import type { Book, OnBookFill, OpenBook } from './books.ts';
import type { OrderCommand } from './order-stream.ts';

const SYMBOL = 'BTCUSDT';
const START_MS = 1_700_000_000_000;
const FILTER = { markets: new Set<Market>(['spot']) };

class WholeCore implements Book {
  readonly #exchange = new Exchange({ seed: 1, startMs: START_MS, clientOrderIds: true });
  readonly #publisher = new Publisher(this.#exchange, createChannelTable(), { wants: () => false, push: () => {} });
  readonly #market: SymbolMarket;
  readonly #traders: readonly Trader[];
  readonly #onFill: OnBookFill | null;
  readonly #records = new Map<string, OrderRecord>();
  /** Only where somebody listens: ids of the stream by ids of the exchange, trades that were told per trader. */
  readonly #streamIds = new Map<string, string>();
  readonly #told: number[];
  #count = 0;

  constructor(onFill: OnBookFill | null) {
    this.#onFill = onFill;
    const market = this.#exchange.markets.get(SYMBOL);
    if (market === undefined) throw new Error(`no market ${SYMBOL}`);
    this.#market = market;
    this.#traders = this.#exchange.users.map(({ login }) => this.#fund(login));
    this.#told = this.#traders.map(() => 0);
  }

  apply(command: OrderCommand): void {
    const now = START_MS + Math.floor(++this.#count / 100);
    if (command.kind === 'cancel') this.#cancel(command.id, now);
    else this.#place(command, now);
    this.#publisher.flush(now);
  }

  #place(command: Exclude<OrderCommand, { kind: 'cancel' }>, now: number): void {
    const { instrument } = this.#market;
    const trader = this.#traders[this.#count % this.#traders.length]!;
    const common = {
      symbol: SYMBOL,
      side: command.side === BID ? 'buy' : 'sell',
      quantity: instrument.quantityText(command.lots),
    } as const;
    const request: SpotOrderRequest =
      command.kind === 'market'
        ? { ...common, type: 'market', timeInForce: 'ioc', price: null }
        : { ...common, type: 'limit', timeInForce: 'gtc', price: instrument.priceText(command.ticks) };
    const record = this.#exchange.placeSpot(trader, request, now);
    if (isRefusal(record)) throw new Error(record.message);
    this.#records.set(command.id, record);
    if (this.#onFill === null) return;
    this.#streamIds.set(record.orderId, command.id);
    this.#tellFills(this.#onFill);
  }

  #cancel(id: string, now: number): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.#exchange.orders.cancel(record.trader, record.orderId, FILTER, now);
  }

  /** Read from the makers' own trades. */
  #tellFills(onFill: OnBookFill): void {
    const fills = this.#traders.flatMap(({ history }, index) => {
      const trades = history?.trades.slice(this.#told[index]) ?? [];
      this.#told[index] = history?.trades.length ?? 0;
      return trades.filter((trade) => trade.liquidity === 'maker');
    });
    const { instrument } = this.#market;
    for (const fill of fills.toSorted((left, right) => (left.tradeId < right.tradeId ? -1 : 1))) {
      const id = this.#streamIds.get(fill.orderId) ?? '';
      onFill(id, instrument.ticksOf(fill.price), instrument.lotsOf(fill.quantity));
    }
  }

  #fund(login: string): Trader {
    const user = this.#exchange.identity.userByLogin(login);
    if (user === undefined) throw new Error(`no user ${login}`);
    this.#exchange.money.mint(user.userId, 'unified-trading', 'USDT', dec('1000000000000'), START_MS);
    this.#exchange.money.mint(user.userId, 'unified-trading', 'BTC', dec('100000000'), START_MS);
    return user.trader;
  }
}

export const openWholeCore: OpenBook = (onFill) => new WholeCore(onFill);
