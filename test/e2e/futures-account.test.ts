/**
 * Executor, reconciler and exchange client on a real sandbox without agents, over HTTP and WebSocket: hedge positions by
 * side, and a position that the exchange liquidates.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { Executor } from '../../src/execution/executor.ts';
import type { ExecutorEvent } from '../../src/spine/events.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { executionSchema } from '../../src/execution/options.ts';
import { limitsSchema } from '../../src/risk/options.ts';
import { createReconciler } from '../../src/reconciler/reconciler.ts';
import type { VenuePosition } from '../../src/model/trading/account.ts';
import type { Market } from '../../src/model/market/instrument.ts';
import type { OrderRequest, PositionSide } from '../../src/model/trading/order.ts';
import { silentLogger, type MarketReader } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { MoneyOutcome, Outcome } from '../../src/model/result.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { connect, type Connection } from '../../src/session/connection/connection.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { fastReconcile, until } from './live-stack.ts';

const SPOT = 'BTCUSDT';
const PERPETUAL = 'BTCUSDTPERP';
const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function connected(sandbox: RunningSandbox, login: string): Promise<Connection> {
  const { restUrl, gatewayUrl, wsUrl, users } = sandbox;
  const user = users.find((each) => each.login === login);
  if (user === undefined) throw new Error(`there is no ${login}`);
  const connection = await connect({
    exchange: exchangeOptions.parse({
      baseUrl: restUrl,
      gatewayUrl,
      wsUrl,
      budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 },
    }),
    credentials: createCredentials(user.apiKey.publicKey, user.apiKey.secretKey),
    clock: createSystemClock(),
    random: seededRandom(1),
    logger: silentLogger,
    seed: 1,
  });
  cleanups.push(() => connection.close());
  return connection;
}

class Account {
  readonly sandbox: RunningSandbox;
  readonly alice: Connection;
  readonly executor: Executor;
  readonly events: ExecutorEvent[] = [];
  readonly #bob: Connection;
  #sent = 0;

  static async open(prepare: (alice: Connection) => Promise<void> = async () => {}): Promise<Account> {
    const clock = createSystemClock();
    const sandbox = await startSandbox({ port: 0, clock, seed: 5, market: 'none', logger: silentLogger });
    cleanups.push(() => sandbox.stop());
    const alice = await connected(sandbox, 'alice');
    await prepare(alice);
    return new Account(sandbox, alice, await connected(sandbox, 'bob'));
  }

  private constructor(sandbox: RunningSandbox, alice: Connection, bob: Connection) {
    this.sandbox = sandbox;
    this.alice = alice;
    this.#bob = bob;
    const venue = alice.exchange.venue([{ symbol: PERPETUAL, market: 'derivative' }]);
    this.executor = new Executor({
      venue,
      journal: createMemoryJournal(),
      clock: alice.clock,
      instruments: alice.instruments,
      market: marketOf(sandbox),
      gates: [],
      options: executionSchema.parse({ reconcile: fastReconcile }),
      strategies: [{ tag: 'maker', name: 'maker', limits: limitsSchema.parse({}) }],
      logger: silentLogger,
      bootId: 'b1',
      reporting: 'USDT',
    });
    this.executor.listen((event) => this.events.push(event));
    this.executor.restore();
    const reconciler = createReconciler(this.executor);
    venue.start();
    reconciler.start();
    cleanups.push(() => venue.stop());
    cleanups.push(() => reconciler.stop());
    this.ready = () => reconciler.gate.closedBecause(PERPETUAL) === null;
    this.compare = async () => {
      const { complete, failures } = await reconciler.runNow();
      if (!complete) throw new Error(failures.join('; '));
    };
  }

  readonly ready: () => boolean;
  /** One whole comparison with the exchange. */
  readonly compare: () => Promise<void>;

  /** An order of bob's, who makes the market. */
  async offer(market: Market, side: 'buy' | 'sell', price: string, quantity: string): Promise<string> {
    const order: OrderRequest = {
      market,
      symbol: market === 'spot' ? SPOT : PERPETUAL,
      side,
      type: 'limit',
      timeInForce: 'gtc',
      price,
      quantity,
      clientOrderId: `bob-${++this.#sent}`,
    };
    const outcome = await new Promise<Outcome>((resolve) =>
      this.#bob.exchange.orders.create(order, { lane: 'create' }, resolve),
    );
    if (outcome.kind !== 'accepted' || outcome.order === undefined) throw new Error(JSON.stringify(outcome));
    return outcome.order.orderId;
  }

  async withdraw(orderId: string): Promise<void> {
    await new Promise<Outcome>((resolve) => this.#bob.exchange.orders.cancel(orderId, { lane: 'cancel' }, resolve));
  }

  held(positionSide?: PositionSide): string {
    return this.executor.account('maker').position(PERPETUAL, positionSide).quantity;
  }

  alarms(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'alarm' ? [event.code] : []));
  }

  denials(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.reason] : []));
  }

  async positions(): Promise<readonly VenuePosition[]> {
    const reading = await this.alice.exchange.futures.positions();
    if (reading.kind !== 'complete') throw new Error(reading.reason);
    return reading.items;
  }
}

/** The sandbox's own book of the perpetual. */
function marketOf({ sandbox }: RunningSandbox): MarketReader {
  const { book, instrument } = sandbox.exchange.markets.get(PERPETUAL)!;
  const best = () => ({ bidTicks: book.bidTicks, bidLots: 1e6, askTicks: book.askTicks, askLots: 1e6 });
  return { best, sweep: () => undefined, mid: () => ((book.bidTicks + book.askTicks) * instrument.tick) / 2 };
}

async function accepted(send: (done: (outcome: MoneyOutcome<object>) => void) => void): Promise<void> {
  const outcome = await new Promise<MoneyOutcome<object>>(send);
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
}

const lane = { lane: 'reconcile' } as const;

describe('a futures account', () => {
  it('in hedge mode: both sides by target, each closed by its own, nothing unexplained', async () => {
    const account = await Account.open((alice) =>
      accepted((done) => alice.exchange.futures.setMode('hedge', lane, done)),
    );
    await account.offer('derivative', 'buy', '59990', '5');
    await account.offer('derivative', 'sell', '60010', '5');
    await until(account.ready, 'the gate opens');
    account.executor.submit('maker', [
      { kind: 'target', symbol: PERPETUAL, quantity: '0.2', positionSide: 'long' },
      { kind: 'target', symbol: PERPETUAL, quantity: '0.1', positionSide: 'short' },
    ]);
    await until(() => account.held('long') === '0.2' && account.held('short') === '-0.1', 'both sides');
    const told = await account.positions();
    expect(told.map(({ positionSide, quantity }) => `${positionSide} ${quantity}`).toSorted()).toEqual([
      'long 0.2',
      'short 0.1',
    ]);
    for (let comparisons = 0; comparisons < 3; comparisons++) await account.compare();
    expect(account.alarms()).toEqual([]);
    account.executor.submit('maker', { kind: 'flatten' });
    await until(() => account.held('long') === '0' && account.held('short') === '0', 'both sides closed');
    expect(await account.positions()).toEqual([]);
    expect([account.alarms(), account.denials()]).toEqual([[], []]);
  });

  it('a liquidation takes the position, alarms, and stops new risk on the symbol', async () => {
    const account = await Account.open(async ({ exchange: { futures } }) => {
      await accepted((done) => futures.setMarginType({ symbol: PERPETUAL, marginType: 'isolated' }, lane, done));
      await accepted((done) => futures.setLeverage({ symbol: PERPETUAL, leverage: 50 }, lane, done));
    });
    const index = [
      await account.offer('spot', 'buy', '59990', '0.5'),
      await account.offer('spot', 'sell', '60010', '0.5'),
    ];
    await account.offer('derivative', 'buy', '50000', '5');
    const high = [await account.offer('derivative', 'buy', '59990', '1')];
    await account.offer('derivative', 'sell', '60010', '1');
    await until(account.ready, 'the gate opens');
    account.executor.submit('maker', { kind: 'target', symbol: PERPETUAL, quantity: '0.5' });
    await until(() => account.held() === '0.5', 'the position');
    const [held] = await account.positions();
    expect(held).toMatchObject({ leverage: '50', marginType: 'isolated', liquidationPrice: expect.any(String) });

    // The index falls by five per cent, and with it the mark.
    for (const orderId of [...index, ...high]) await account.withdraw(orderId);
    await account.offer('spot', 'buy', '56990', '0.5');
    await account.offer('spot', 'sell', '57010', '0.5');
    account.sandbox.advance(1000);
    await until(
      () => account.held() === '0',
      () => `the liquidation: ${account.alarms().join()}, held ${account.held()}`,
    );
    expect(account.alarms()).toEqual(['liquidated']);
    expect(await account.positions()).toEqual([]);
    expect(Number(account.executor.account('maker').position(PERPETUAL).realizedPnl)).toBeLessThan(0);
    account.executor.submit('maker', { kind: 'target', symbol: PERPETUAL, quantity: '0.1' });
    expect(account.denials()).toEqual(['liquidated']);
  });
});
