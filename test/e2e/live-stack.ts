/**
 * The live stack in one process against a real sandbox: exchange client over HTTP and WebSocket, paced clock, executor on
 * a SQLite journal, reconciler with short times. What leaves is watched: a create that leaves while a gate is closed, the
 * kill switch is on or its SENDING row is missing is a violation at once.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCredentials } from '../../src/exchange/client/credentials.ts';
import { exchangeOptions } from '../../src/exchange/options.ts';
import { Executor } from '../../src/execution/executor.ts';
import type { ExecutorEvent } from '../../src/spine/events.ts';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import { executionSchema } from '../../src/execution/options.ts';
import { limitsSchema } from '../../src/risk/options.ts';
import { panicWatch } from '../../src/session/emergency/panic-orders.ts';
import type { SessionFolder } from '../../src/session/store/store.ts';
import { createReconciler, type Reconciler } from '../../src/reconciler/reconciler.ts';
import type { JournalRow, JournalStore } from '../../src/model/entries/journal.ts';
import { silentLogger, type MarketReader } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { Venue, Verdict } from '../../src/model/venue.ts';
import { startSandbox, type RunningSandbox } from '../../src/sandbox/server.ts';
import { connect, type Connection } from '../../src/session/connection/connection.ts';
import { PacedClock } from '../../src/session/clock/paced-clock.ts';
import { pacedVenue } from '../../src/session/clock/paced-source.ts';
import { createSystemClock } from '../../src/session/clock/system-clock.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';

export const SYMBOL = 'BTCUSDT';
export const TAGS = ['maker', 'taker'] as const;

/** The window is far below the exchange's, so a delay injected by a test must stay below it. */
export const fastReconcile = {
  intervalMs: 250,
  urgentIntervalMs: 100,
  sweepIntervalMs: 1000,
  signatureWindowMs: 300,
  fenceMarginMs: 50,
  earlierClockMs: 50,
  historyLagMs: 150,
};

export async function until(holds: () => boolean, what: string | (() => string), withinMs = 15_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

/** Rows that one commit of what leaves together has at most here. */
const TOGETHER_MAX = 40;

export function tempDir(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-faults-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface WorldOptions {
  readonly clientOrderIds?: boolean;
  readonly seed?: number;
}

/** A sandbox without agents: bob makes the market, alice is the account under test. */
export class World {
  readonly sandbox: RunningSandbox;
  readonly clientOrderIds: boolean;
  /** What a scenario makes of frames and answers on their way, as they leave the exchange. */
  frames: (text: string) => string = (text) => text;
  answers: (text: string) => string = (text) => text;
  readonly #cleanups: (() => Promise<void> | void)[] = [];

  private constructor(sandbox: RunningSandbox, clientOrderIds: boolean) {
    this.sandbox = sandbox;
    this.clientOrderIds = clientOrderIds;
  }

  static async open({ clientOrderIds = true, seed = 1 }: WorldOptions = {}): Promise<World> {
    const clock = createSystemClock();
    const sandbox = await startSandbox({ port: 0, clock, seed, market: 'none', clientOrderIds, logger: silentLogger });
    const world = new World(sandbox, clientOrderIds);
    world.#standBetween();
    world.trade('bob', 'buy', '59990', '2');
    world.trade('bob', 'sell', '60010', '2');
    return world;
  }

  #standBetween(): void {
    const { sandbox } = this.sandbox;
    const { hub } = sandbox;
    const attach = hub.attach.bind(hub);
    const handle = sandbox.handle.bind(sandbox);
    hub.attach = (client, address) =>
      attach(
        {
          send: (text) => client.send(this.frames(text)),
          get bufferedBytes() {
            return client.bufferedBytes;
          },
          close: (code, reason) => client.close(code, reason),
          terminate: () => client.terminate(),
        },
        address,
      );
    sandbox.handle = (request, respond) =>
      handle(request, (reply) => respond(reply === null ? null : { ...reply, body: this.answers(reply.body) }));
  }

  /** An order that does not come from the stack under test. */
  trade(login: 'alice' | 'bob', side: 'buy' | 'sell', price: string, quantity: string, ioc = false): string {
    let orderId = '';
    this.sandbox.sandbox.operate((now) => {
      const trader = this.sandbox.sandbox.exchange.identity.userByLogin(login)?.trader;
      if (trader === undefined) throw new Error(`no user ${login}`);
      const timeInForce = ioc ? 'ioc' : 'gtc';
      const order = { symbol: SYMBOL, side, type: 'limit', timeInForce, price, quantity } as const;
      const record = this.sandbox.sandbox.exchange.placeSpot(trader, order, now);
      if ('orderId' in record) orderId = record.orderId;
      else throw new Error(`${login} was refused: ${JSON.stringify(record)}`);
    });
    return orderId;
  }

  /** As the exchange or its owner does, elsewhere. */
  cancel(login: 'alice' | 'bob', orderId: string): void {
    this.sandbox.sandbox.operate((now) => {
      const { identity, orders } = this.sandbox.sandbox.exchange;
      const trader = identity.userByLogin(login)?.trader;
      if (trader === undefined) throw new Error(`no user ${login}`);
      orders.cancel(trader, orderId, { markets: new Set(['spot'] as const) }, now);
    });
  }

  get alice() {
    const history = this.sandbox.sandbox.exchange.identity.userByLogin('alice')?.trader.history;
    if (!history) throw new Error('alice has no history');
    return history;
  }

  async faults(...rules: readonly object[]): Promise<void> {
    const answer = await fetch(`${this.sandbox.restUrl}/sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rules }),
    });
    if (answer.status !== 200) throw new Error(`faults: ${answer.status} ${await answer.text()}`);
  }

  later(cleanup: () => Promise<void> | void): void {
    this.#cleanups.push(cleanup);
  }

  async close(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
    await this.sandbox.stop();
  }
}

export interface StackOptions {
  readonly dir: string;
  readonly bootId?: string;
  readonly reconcile?: Partial<typeof fastReconcile>;
  readonly ownTradeSide?: 'own' | 'taker';
  readonly risk?: object;
  /** Puts something between the executor and its journal. */
  readonly wrap?: (journal: JournalStore) => JournalStore;
  readonly seed?: number;
  /** Takes over what a panic sends for this session while it runs. */
  readonly watches?: SessionFolder;
}

export class Stack {
  readonly world: World;
  readonly connection: Connection;
  readonly journal: JournalStore;
  readonly executor: Executor;
  readonly reconciler: Reconciler;
  readonly clock: PacedClock;
  readonly venue: Venue;
  readonly events: ExecutorEvent[] = [];
  readonly violations: string[] = [];
  /** From here on the process is dead: nothing leaves, nothing is told. */
  dead = false;
  creates = 0;
  #ended = false;

  static async start(world: World, options: StackOptions): Promise<Stack> {
    const { restUrl, gatewayUrl, wsUrl, users } = world.sandbox;
    const alice = users.find(({ login }) => login === 'alice');
    if (alice === undefined) throw new Error('there is no alice');
    const connection = await connect({
      exchange: exchangeOptions.parse({
        baseUrl: restUrl,
        gatewayUrl,
        wsUrl,
        clientOrderIds: world.clientOrderIds,
        ownTradeSide: options.ownTradeSide,
        budget: { requestsPerSecond: 1000, ordersPerSecond: 1000 },
      }),
      credentials: createCredentials(alice.apiKey.publicKey, alice.apiKey.secretKey),
      clock: createSystemClock(),
      random: seededRandom(options.seed ?? 1),
      logger: silentLogger,
      seed: 1,
    });
    const stack = new Stack(world, connection, options);
    world.later(() => stack.stop());
    stack.executor.restore();
    stack.clock.deliver(connection.clock.nowUs(), () => {
      stack.venue.start();
      stack.reconciler.start();
    });
    return stack;
  }

  private constructor(world: World, connection: Connection, options: StackOptions) {
    this.world = world;
    this.connection = connection;
    const real = connection.clock;
    this.clock = new PacedClock(new VirtualClock(real.nowUs()), real);
    const stored = openJournal(options.dir);
    this.journal = options.wrap?.(stored) ?? stored;
    const paced = pacedVenue(connection.exchange.venue([{ symbol: SYMBOL, market: 'spot' }]), this.clock, real);
    this.venue = this.#watched(paced);
    this.executor = new Executor({
      venue: this.venue,
      journal: this.journal,
      clock: this.clock,
      instruments: connection.instruments,
      market: marketOf(world),
      gates: connection.exchange.gates,
      options: executionSchema.parse({
        risk: { messagesPerSecond: 1000, repeatedRejects: 1000, ...options.risk },
        reconcile: { ...fastReconcile, ...options.reconcile },
      }),
      strategies: TAGS.map((tag) => ({ tag, name: tag, limits: limitsSchema.parse({}) })),
      logger: silentLogger,
      bootId: options.bootId ?? 'b1',
      reporting: 'USDT',
      ...(options.watches === undefined ? {} : { sentElsewhere: this.#panicsOf(options.watches) }),
    });
    this.reconciler = createReconciler(this.executor, { markets: ['spot'] });
    for (const tag of TAGS) this.executor.account(tag);
    this.executor.listen((event) => this.events.push(event));
  }

  #panicsOf(folder: SessionFolder): ReturnType<typeof panicWatch> {
    const { instruments } = this.connection;
    return panicWatch(folder, { instruments, startedAt: this.clock.now(), logger: silentLogger });
  }

  get ready(): boolean {
    return this.reconciler.gate.closedBecause(SYMBOL) === null;
  }

  async whenReady(): Promise<void> {
    await until(
      () => this.ready,
      () => `the gate opens (${JSON.stringify(this.reconciler.gate.closedBecause(SYMBOL))})`,
    );
  }

  act(tag: (typeof TAGS)[number], ...actions: Parameters<Executor['submit']>[1][]): void {
    if (this.dead) return;
    this.clock.deliver(this.connection.clock.nowUs(), () => {
      for (const action of actions) this.executor.submit(tag, action);
    });
  }

  rows(): readonly JournalRow[] {
    return [...this.journal.read()];
  }

  alarms(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'alarm' ? [`${event.code}: ${event.message}`] : []));
  }

  denials(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'denied' ? [event.denied.reason] : []));
  }

  states(): readonly string[] {
    return this.events.flatMap((event) => (event.kind === 'order' ? [`${event.order.ref} ${event.order.state}`] : []));
  }

  /** Ends without a word to anybody, like a process that was killed. */
  async die(): Promise<void> {
    this.dead = true;
    await this.stop();
  }

  async stop(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.dead = true;
    this.reconciler.stop();
    await this.venue.stop();
    await this.connection.close();
    this.clock.stop();
    this.journal.close();
  }

  #watched(venue: Venue): Venue {
    return {
      query: venue.query,
      clientOrderIds: venue.clientOrderIds,
      printsOwn: venue.printsOwn,
      listen: (listener) =>
        venue.listen((events) => {
          if (!this.dead) listener(events);
        }),
      send: (command, onDispatch) => {
        if (this.dead) return;
        const left = (verdict: Verdict): Verdict => {
          // Death inside the last check: the SENDING row may be durable, but no byte left.
          if (this.dead) return { kind: 'denied', reason: 'stopping', message: 'dead' };
          if (verdict === 'go' && command.kind === 'create') this.#left(command.intentId, command.lane);
          return verdict;
        };
        venue.send(command, () => {
          if (this.dead) return { kind: 'denied', reason: 'stopping', message: 'dead' };
          const asked = onDispatch();
          return typeof asked === 'function' ? () => left(asked()) : left(asked);
        });
      },
      together: (run) => venue.together(run),
      start: () => venue.start(),
      stop: () => venue.stop(),
    };
  }

  #left(intentId: string, lane: string): void {
    this.creates++;
    const last = [...this.journal.read(Math.max(1, this.journal.lastSeq - TOGETHER_MAX))];
    if (!last.some(({ entry }) => entry.kind === 'sending' && entry.intentId === intentId)) {
      this.violations.push(`${intentId} left without its SENDING row`);
    }
    const closed = this.reconciler.gate.closedBecause(SYMBOL);
    if (lane !== 'create' || (closed === null && !this.executor.killed)) return;
    // A reduction that was new risk when it was decided may be an exit by now.
    const reduces = this.rows().some(
      ({ entry }) =>
        entry.kind === 'intent' && entry.command === 'create' && entry.intentId === intentId && entry.reduceOnly,
    );
    if (reduces) return;
    if (this.executor.killed) this.violations.push(`${intentId} left after the kill`);
    if (closed !== null) this.violations.push(`${intentId} left while ${closed.reason}: ${closed.message}`);
  }
}

/** The sandbox's own book: always fresh. */
function marketOf(world: World): MarketReader {
  const market = world.sandbox.sandbox.exchange.markets.get(SYMBOL);
  if (market === undefined) throw new Error(`no market ${SYMBOL}`);
  const { book, instrument } = market;
  return {
    best: () =>
      book.bidTicks === 0 || book.askTicks === 0
        ? undefined
        : { bidTicks: book.bidTicks, bidLots: 1, askTicks: book.askTicks, askLots: 1 },
    sweep: () => undefined,
    mid: () =>
      book.bidTicks === 0 || book.askTicks === 0 ? 60_000 : ((book.bidTicks + book.askTicks) * instrument.tick) / 2,
  };
}
