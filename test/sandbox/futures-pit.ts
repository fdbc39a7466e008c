/**
 * The core with a mark that tests set: an agent quotes the spot book around it, another one the perpetual. Nothing is
 * random and no time passes but what `at` says.
 */
import type { Side } from '../../src/model/trading/order.ts';
import type { AssumedInput } from '../../src/sandbox/core/assumptions.ts';
import { assumedSchema } from '../../src/sandbox/core/assumptions.ts';
import { Exchange } from '../../src/sandbox/core/exchange.ts';
import type { HouseAccount } from '../../src/clearing/pocket.ts';
import type { DerivativeOrderRequest } from '../../src/sandbox/core/futures/trading.ts';
import { orderReport, type OrderRecord, type Trader } from '../../src/sandbox/core/orders/order-record.ts';
import { isRefusal, type Refusal } from '../../src/sandbox/core/refusal.ts';

export const PERP = 'BTCUSDTPERP';
/** A quarter of an hour before funding. */
export const START = 1_700_006_400_000 - 900_000;

export const noFees: AssumedInput = { fees: { maker: '0', taker: '0' } };

export class Pit {
  readonly exchange: Exchange;
  readonly alice: Trader;
  readonly bob: Trader;
  now = START;
  readonly #agent: Trader;
  #quotes: OrderRecord[] = [];

  constructor(assumed: AssumedInput = {}) {
    this.exchange = new Exchange({
      seed: 3,
      startMs: START,
      clientOrderIds: true,
      assumed: assumedSchema.parse(assumed),
    });
    this.#agent = this.exchange.addAgent('pit', { BTC: '1000000', ETH: '1000000', USDT: '1000000000000' });
    this.alice = this.#trader('alice');
    this.bob = this.#trader('bob');
  }

  /** Moves the spot mid of a perpetual, which is its mark, and looks at the margins. */
  mark(price: number, spot = 'BTCUSDT'): void {
    const market = this.exchange.markets.get(spot)!;
    for (const quote of this.#quotes.filter((record) => record.market === market)) this.#cancel(quote);
    this.#quotes = this.#quotes.filter((record) => record.market !== market);
    for (const [side, at] of [
      ['buy', price - 1],
      ['sell', price + 1],
    ] as const) {
      this.#quotes.push(this.#rest(spot, side, at, 1));
    }
    this.exchange.futures.check(this.now);
  }

  /** An agent rests an order in the perpetual's book. */
  offer(side: Side, price: number, quantity: number, symbol = PERP): OrderRecord {
    return this.#rest(symbol, side, price, quantity);
  }

  place(trader: Trader, change: Partial<DerivativeOrderRequest>): OrderRecord | Refusal {
    const base = { symbol: PERP, side: 'buy', type: 'limit', timeInForce: 'gtc', price: null, quantity: '1' } as const;
    const placed = this.exchange.futures.trading.place(trader, { ...base, ...change }, this.now);
    this.exchange.futures.check(this.now);
    return placed;
  }

  /** A market order, filled by an agent at exactly this price. */
  trade(
    trader: Trader,
    side: Side,
    price: number,
    quantity: string,
    change: Partial<DerivativeOrderRequest> = {},
  ): OrderRecord {
    const symbol = change.symbol ?? PERP;
    this.#rest(symbol, side === 'buy' ? 'sell' : 'buy', price, Number(quantity));
    const placed = this.place(trader, {
      side,
      type: 'limit',
      timeInForce: 'ioc',
      price: String(price),
      quantity,
      ...change,
    });
    if (isRefusal(placed)) throw new Error(`${placed.code}: ${placed.message}`);
    if (placed.status !== 'filled') throw new Error(`not filled: ${JSON.stringify(orderReport(placed))}`);
    return placed;
  }

  /** `available locked total` of USDT in the trading account. */
  money(trader: Trader): string {
    const { available, locked, total } = trader.wallet.pocket('USDT').row();
    return `${available} ${locked} ${total}`;
  }

  positions(trader: Trader) {
    return this.exchange.futures.positions(trader, undefined);
  }

  closed(trader: Trader) {
    return this.exchange.futures.closedPositions(trader, undefined, allItems).items;
  }

  /** Runs the timers that fall due. */
  at(now: number): void {
    this.now = now;
    this.exchange.timers.fire(now);
    this.exchange.futures.check(now);
  }

  ofExchange(account: HouseAccount): string {
    return this.exchange.accounts.ofExchange(account, 'USDT').toFixed();
  }

  #trader(login: string): Trader {
    const { trader } = this.exchange.identity.userByLogin(login)!;
    const rest = trader.wallet.pocket('USDT').available.minus(10_000);
    trader.wallet.pocket('USDT').pay(rest, 'outside');
    return trader;
  }

  #rest(symbol: string, side: Side, price: number, quantity: number): OrderRecord {
    const market = this.exchange.markets.get(symbol)!;
    const { instrument } = market;
    const order = {
      side,
      type: 'limit',
      timeInForce: 'gtc',
      ticks: instrument.ticksOf(price),
      lots: instrument.lotsOf(quantity),
    } as const;
    const record = this.exchange.flowOf(market).submit(this.#agent, market, order, this.now);
    if (isRefusal(record)) throw new Error(record.message);
    return record;
  }

  #cancel(record: OrderRecord): void {
    if (record.isActive) this.exchange.flowOf(record.market).cancel(record, this.now);
  }
}

export const allItems = { from: 0, to: Number.POSITIVE_INFINITY, limit: 1000, before: Number.POSITIVE_INFINITY };
