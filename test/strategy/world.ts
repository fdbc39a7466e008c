/**
 * A small world for strategy tests: a virtual clock, the real market data of `streams/`, an account that the test moves
 * and a state store in memory. Nothing is mocked that a strategy could see: the ports are implemented.
 */
import { MarketData } from '../../src/streams/market-data.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import type { AccountEvent, Balance, StrategyAccount, StrategyPosition } from '../../src/model/trading/account.ts';
import type { Action } from '../../src/model/trading/action.ts';
import type { Fill } from '../../src/model/trading/fill.ts';
import { Instruments, type InstrumentSpec } from '../../src/model/market/instrument.ts';
import type { OrderUpdate } from '../../src/model/trading/order.ts';
import type { ProgramUpdate } from '../../src/model/trading/program.ts';
import { silentLogger, type Logger, type StateStore } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { Candle } from '../../src/model/market/views.ts';
import type { StrategyDefinition } from '../../src/strategy/definition.ts';
import type { StrategyError } from '../../src/strategy/running/failure.ts';
import { resolveParams } from '../../src/strategy/loading/params.ts';
import { startStrategy, type RunningStrategy } from '../../src/strategy/running/run.ts';

/** 2026-01-01T00:00:00Z. */
export const START_MS = 1_767_225_600_000;

const btc: InstrumentSpec = {
  symbol: 'BTCUSDT',
  market: 'spot',
  base: 'BTC',
  quote: 'USDT',
  tickSize: '0.01',
  lotSize: '0.00001',
  minQuantity: '0.00001',
  maxQuantity: '100',
  minNotional: '5',
  status: 'trading',
};

export class MemoryState implements StateStore {
  readonly values = new Map<string, string>();

  get(key: string): string | undefined {
    return this.values.get(key);
  }

  set(key: string, json: string): void {
    this.values.set(key, json);
  }
}

export class TestAccount implements StrategyAccount {
  readonly orders = new Map<string, OrderUpdate>();
  readonly held = new Map<string, StrategyPosition>();
  readonly #listeners = new Set<(event: AccountEvent) => void>();

  openOrders(symbol?: string): readonly OrderUpdate[] {
    return [...this.orders.values()].filter(
      (order) => order.state === 'open' && (symbol ?? order.symbol) === order.symbol,
    );
  }

  orderByRef(ref: string): OrderUpdate | undefined {
    return this.orders.get(ref);
  }

  programs(): readonly ProgramUpdate[] {
    return [];
  }

  programByRef(): undefined {
    return undefined;
  }

  position(symbol: string): StrategyPosition {
    return (
      this.held.get(symbol) ?? {
        symbol,
        market: 'spot',
        positionSide: 'both',
        quantity: '0',
        size: 0,
        isFlat: true,
        entryPrice: null,
        realizedPnl: '0',
      }
    );
  }

  positions(): readonly StrategyPosition[] {
    return [...this.held.values()];
  }

  balance(currency: string): Balance {
    return { account: 'unified-trading', currency, available: '0', locked: '0', total: '0' };
  }

  balances(): readonly Balance[] {
    return [this.balance('USDT')];
  }

  fillsSince(): readonly Fill[] {
    return [];
  }

  listen(listener: (event: AccountEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  tell(event: AccountEvent): void {
    if (event.kind === 'order') this.orders.set(event.order.ref, event.order);
    if (event.kind === 'position') this.held.set(event.position.symbol, event.position);
    for (const listener of this.#listeners) listener(event);
  }
}

export function orderUpdate(ref: string, state: OrderUpdate['state']): OrderUpdate {
  return {
    ts: START_MS,
    ref,
    tag: '',
    symbol: 'BTCUSDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'gtc',
    price: '60000',
    quantity: '0.001',
    filledQuantity: '0',
    averagePrice: null,
    state,
  };
}

export interface Started {
  readonly running: RunningStrategy;
  readonly actions: Action[];
  readonly errors: StrategyError[];
  readonly account: TestAccount;
  readonly state: MemoryState;
}

export interface StartSettings {
  readonly tag?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly files?: ReadonlySet<string>;
  readonly state?: MemoryState;
  readonly log?: Logger;
  readonly warmupCandles?: ReadonlyMap<string, readonly Candle[]>;
  readonly seed?: number;
  readonly act?: (actions: readonly Action[]) => void;
}

export class World {
  readonly clock: VirtualClock;
  readonly instruments = new Instruments([btc]);
  readonly market: MarketData;
  #trades = 0;
  readonly #running: RunningStrategy[] = [];

  constructor(startMs = START_MS) {
    this.clock = new VirtualClock(startMs * 1000);
    this.market = new MarketData({ instruments: this.instruments, clock: this.clock, sequenceRule: () => 'none' });
  }

  /** ms since the start. */
  get elapsed(): number {
    return this.clock.now() - START_MS;
  }

  /** Runs everything due up to `ms` after the start. */
  to(ms: number): void {
    this.clock.advanceTo((START_MS + ms) * 1000);
  }

  start(definition: StrategyDefinition, settings: StartSettings = {}): Started {
    const actions: Action[] = [];
    const errors: StrategyError[] = [];
    const account = new TestAccount();
    const state = settings.state ?? new MemoryState();
    const running = startStrategy({
      definition,
      tag: settings.tag ?? definition.name,
      params: resolveParams(definition, settings.params),
      market: this.market,
      account,
      clock: this.clock,
      random: seededRandom(settings.seed ?? 1),
      state,
      log: settings.log ?? silentLogger,
      ...(settings.files === undefined ? {} : { files: settings.files }),
      ...(settings.warmupCandles === undefined ? {} : { warmupCandles: settings.warmupCandles }),
      act: settings.act ?? ((added) => void actions.push(...added)),
      fail: (error) => void errors.push(error),
    });
    this.#running.push(running);
    return { running, actions, errors, account, state };
  }

  /** At the end of a test: a strategy that lives on would be found in the stacks of the next. */
  stopAll(): void {
    for (const running of this.#running) running.stop('end');
  }

  /** A book of one level each side, as a snapshot; prices in quote units. */
  book(bid: number, ask: number, bidQuantity = 1, askQuantity = 1, symbol = 'BTCUSDT'): void {
    const instrument = this.market.instrument(symbol);
    this.market.onEvent({
      kind: 'depth',
      instrument,
      exchangeUs: this.clock.nowUs(),
      receiveUs: this.clock.nowUs(),
      snapshot: true,
      firstId: 0,
      lastId: 0,
      previousId: 0,
      levels: {
        sides: Uint8Array.of(0, 1),
        ticks: Float64Array.of(instrument.ticksOf(bid), instrument.ticksOf(ask)),
        lots: Float64Array.of(instrument.lotsOf(bidQuantity), instrument.lotsOf(askQuantity)),
        from: 0,
        to: 2,
      },
    });
  }

  trade(price: number, quantity = 0.01, symbol = 'BTCUSDT'): void {
    const instrument = this.market.instrument(symbol);
    this.market.onEvent({
      kind: 'trade',
      instrument,
      exchangeUs: this.clock.nowUs(),
      receiveUs: this.clock.nowUs(),
      tradeId: String(++this.#trades),
      ticks: instrument.ticksOf(price),
      lots: instrument.lotsOf(quantity),
      takerBuys: true,
    });
  }
}

/** Closed one-minute candles that end at the start of the world, one per close price. */
export function candlesBefore(closes: readonly number[], symbol = 'BTCUSDT'): readonly Candle[] {
  const intervalMs = 60_000;
  return closes.map((close, index) => ({
    symbol,
    openTime: START_MS - (closes.length - index) * intervalMs,
    intervalMs,
    open: close,
    high: close,
    low: close,
    close,
    volume: 1,
    closed: true,
  }));
}
