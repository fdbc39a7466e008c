/**
 * One life of the process under test: the whole live stack (REST client, sockets, public stream, strategies, executor with
 * risk, reconciler, journal) on the ports of the simulated world. It begins like `tidewire run`: instruments, clock,
 * account, comparison with the exchange, then strategies. A start that cannot reach the exchange ends the process.
 */
import { OFFSET_HALT_MS } from '../../../src/exchange/client/clock-offset.ts';
import { InstrumentWatch } from '../../../src/exchange/instrument-watch.ts';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { executionSchema } from '../../../src/execution/options.ts';
import { limitsSchema } from '../../../src/risk/options.ts';
import { createReconciler, type Reconciler } from '../../../src/reconciler/reconciler.ts';
import { Instruments, type Instrument } from '../../../src/model/market/instrument.ts';
import { asWritten, type Knobs } from '../../../src/model/knobs.ts';
import type { CreateIntentEntry, JournalStore } from '../../../src/model/entries/journal.ts';
import {
  silentLogger,
  type Clock,
  type Gate,
  type HttpTransport,
  type Random,
  type SocketTransport,
} from '../../../src/model/ports.ts';
import type { UserCredentials } from '../../../src/sandbox/core/identity/users.ts';
import { Engine } from '../../../src/session/engine.ts';
import { LoopLag } from '../../../src/session/clock/loop-lag.ts';
import { cleared, disconnect, type Connected } from '../../../src/session/healing/orderly-end.ts';
import { PacedClock } from '../../../src/session/clock/paced-clock.ts';
import { pacedSource, pacedVenue } from '../../../src/session/clock/paced-source.ts';
import { shiftedClock } from '../../../src/session/clock/shifted-clock.ts';
import { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { StrategyDefinition } from '../../../src/strategy/definition.ts';
import type { HandMove } from '../../../src/treasury/by-hand.ts';
import { InputLog } from '../../../src/strategy/inputs/input-log.ts';
import { forgetScopes } from '../../../src/strategy/running/scope.ts';
import { installVirtualTime } from '../../../src/strategy/running/virtual-time.ts';
import { createPublicStream, type PublicStream } from '../../../src/streams/public.ts';
import { ACCOUNT_POSITION_MAX, ORDER_MAX } from './account-law.ts';
import { PERPETUAL } from './futures/terms.ts';
import { SYMBOL } from './restless.ts';
import { TRANSFER_LIMITS } from './transfer-whims.ts';

export const REST_URL = 'http://exchange.invalid';
export const WS_URL = 'ws://exchange.invalid';

/** The limit of each strategy that no interleaving may pass, base units. */
export const POSITION_MAX = 0.5;

export const OPEN_ORDERS_MAX = 12;

/** Of the whole account, in USDT: a few quotes beside a full position reach them. */
export const OPEN_NOTIONAL_MAX = 36_000;
const GROSS_VALUE_MAX = 40_000;
const RECKLESS = { maxOrderEquityFraction: 30, dailyLossFraction: 1 } as const;

/** Why a process ends that cannot write its journal. */
export const JOURNAL_FAILED = 'the journal failed';

const BALANCES_MS = 10_000;
/** As often as a live session looks at its journal, at gates and the worth of the account. */
const LOOK_MS = 1000;

/** Of the core of the sandbox; what a process is told may be a multiple. */
const TICKS: Readonly<Record<string, number>> = { [SYMBOL]: 0.01, [PERPETUAL]: 0.1 };

export interface ProcessOptions {
  /** Nothing of it runs once it is dead. */
  readonly clock: Clock & { dead: boolean };
  readonly http: HttpTransport;
  /** `abandon`: the kernel closes what a dead process had open. */
  readonly sockets: SocketTransport & { abandon(): void };
  readonly journal: JournalStore;
  readonly random: Random;
  readonly user: UserCredentials;
  readonly clientOrderIds: boolean;
  readonly strategies: readonly StrategyDefinition[];
  /** What they trade; `SYMBOL` alone when left out. */
  readonly symbols?: readonly string[];
  readonly bootId: string;
  /** Another process of this thread has the time of RxJS and the scopes of strategies. */
  readonly isBesideAnother?: boolean;
  /** Whether it notices that an instrument has changed; asked once, when it is wired. */
  readonly watchesInstruments?: () => boolean;
  /** Neither the value of an order nor the loss of a day is limited by the equity. */
  readonly isReckless?: boolean;
  /** Whether its strategies may transfer. */
  readonly transfers?: boolean;
  /** What happens to the orders of a strategy that is stopped; `cancel` when left out. */
  readonly onStop?: 'cancel' | 'flatten';
  readonly knobs?: Knobs;
  /** The machine's wall clock; the clock of the process when left out. */
  readonly wall?: () => number;
  /** What another process has sent for its strategies since it started, Unix ms by its clock. */
  readonly sentElsewhere?: (instruments: Instruments, startedAt: number) => readonly CreateIntentEntry[] | null;
  /** Its strategies are about to decide for the first time. */
  readonly beforeStrategies?: (process: Process) => void;
  /** It ended by itself. */
  readonly onExit: (reason: string) => void;
}

export class Process {
  readonly #options: ProcessOptions;
  readonly #exchange: Exchange;
  readonly #clock: PacedClock;
  readonly #real: ReturnType<typeof shiftedClock>;
  readonly #virtual: VirtualClock;
  #engine: Engine | null = null;
  #instruments: Instruments | null = null;
  #watch: InstrumentWatch | null = null;
  #reconciler: Reconciler | null = null;
  #stream: PublicStream | null = null;
  #gates: readonly Gate[] = [];
  #undo: (() => void)[] = [];
  #hasStarted = false;
  #isEnding = false;
  #connected: Connected | null = null;

  constructor(options: ProcessOptions) {
    const { clock, http, sockets, user, clientOrderIds, random, knobs = asWritten } = options;
    this.#options = options;
    this.#real = shiftedClock(clock);
    this.#exchange = createExchange({
      options: exchangeOptions.parse({ baseUrl: REST_URL, gatewayUrl: REST_URL, wsUrl: WS_URL, clientOrderIds }),
      credentials: createCredentials(user.apiKey.publicKey, user.apiKey.secretKey),
      clock: this.#real,
      steady: this.#real.steady,
      wall: options.wall ?? (() => clock.now()),
      random,
      logger: silentLogger,
      httpTransports: { orders: http, reconcile: http, public: http },
      socketTransport: sockets,
      knobs,
    });
    this.#virtual = new VirtualClock(this.#real.nowUs());
    this.#clock = new PacedClock(this.#virtual, this.#real);
    void this.#begin();
  }

  get engine(): Engine | null {
    return this.#engine;
  }

  /** Of its strategies. */
  get tags(): readonly string[] {
    return this.#options.strategies.map(({ name }) => name);
  }

  get reconciler(): Reconciler | null {
    return this.#reconciler;
  }

  /** Why no new risk may be taken now; null when it may. */
  closedBecause(symbol: string = SYMBOL): string | null {
    for (const gate of this.#gates) {
      const closure = gate.closedBecause(symbol);
      if (closure !== null) return `${closure.reason}: ${closure.message}`;
    }
    return null;
  }

  /** A symbol counts in other steps than the exchange, as far as it knows: the next start counts anew. */
  get hasOtherSteps(): boolean {
    return this.symbols.some((symbol) => this.#watch?.closedBecause(symbol)?.reason === 'instrument_changed');
  }

  /** What its strategies trade. */
  get symbols(): readonly string[] {
    return this.#options.symbols ?? [SYMBOL];
  }

  /** Timers of the session and its strategies that wait. */
  get timers(): number {
    return this.#virtual.pendingTimers;
  }

  /** A human pulls the switch. */
  kill(reason: string): void {
    this.#clock.deliver(this.#real.nowUs(), () => this.#engine?.executor.kill(reason));
  }

  /** A human lets it trade again. */
  clearKill(reason: string): void {
    this.#clock.deliver(this.#real.nowUs(), () => this.#engine?.executor.human.clearKill(reason));
  }

  /** A human pauses a strategy, or resumes it. */
  pause(tag: string, on: boolean): void {
    this.#clock.deliver(this.#real.nowUs(), () => this.#engine?.executor.human.pause(tag, on, 'the simulated human'));
  }

  /** A human lets a halted symbol take risk again. */
  resume(symbol: string, reason: string): void {
    this.#clock.deliver(this.#real.nowUs(), () => this.#engine?.executor.human.resume(symbol, reason));
  }

  /** A human gives the session an order. `now`: Unix ms of its clock. */
  order(work: (engine: Engine, now: number) => void): void {
    const engine = this.#engine;
    if (engine !== null) this.#clock.deliver(this.#real.nowUs(), () => work(engine, this.#clock.now()));
  }

  /** A human moves money. */
  moves(move: HandMove): void {
    this.#clock.deliver(this.#real.nowUs(), () => void this.#engine?.executor.moneyByHand.send(move));
  }

  /** One of its strategies; null before they are wired. */
  get tag(): string | null {
    return this.#engine === null ? null : (this.#options.strategies[0]?.name ?? null);
  }

  /** The private stream is not there. */
  get streamDown(): boolean {
    return this.#reconciler?.gate.closedBecause(SYMBOL)?.reason === 'stream_down';
  }

  /** The first comparison is done and the strategies run. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Requests wait because the exchange said that there were too many. */
  get isRateLimited(): boolean {
    return this.#exchange.budget.state.pausedUntil > 0;
  }

  /** Best prices that its strategies see, in ticks of the core; undefined without a book. */
  top(symbol: string): { readonly bidTicks: number; readonly askTicks: number } | undefined {
    const top = this.#stream?.market.best(symbol);
    const steps = Math.round((this.#instruments?.find(symbol)?.tick ?? 0) / (TICKS[symbol] ?? Number.NaN));
    return top === undefined || steps === 1 ? top : { bidTicks: top.bidTicks * steps, askTicks: top.askTicks * steps };
  }

  mid(symbol: string): number | undefined {
    return this.#stream?.market.mid(symbol);
  }

  /** Whether the lists that it began with named the instrument. */
  knows(symbol: string): boolean {
    return this.instrument(symbol) !== undefined;
  }

  instrument(symbol: string): Instrument | undefined {
    return this.#instruments?.find(symbol);
  }

  /**
   * As a signal ends a session (`session/realtime.ts`): last actions, the stop policy of each strategy, connections, journal.
   * Answers whether it calls its end clean; null when it had nothing to end yet.
   */
  async end(): Promise<boolean | null> {
    this.#isEnding = true;
    const [engine, connected] = [this.#engine, this.#connected];
    if (engine === null || connected === null) return null;
    this.#clock.deliver(this.#real.nowUs(), () => engine.stopStrategies('signal'));
    const left = await cleared({ engine, reconciler: connected.reconciler }, this.#real, silentLogger);
    await disconnect(connected);
    engine.close();
    this.#clock.stop();
    return left.length === 0;
  }

  /** Nothing of it runs from here on. */
  bury(): void {
    this.#options.clock.dead = true;
    for (const undo of this.#undo.splice(0)) undo();
    if (this.#options.isBesideAnother !== true) forgetScopes();
    this.#options.sockets.abandon();
  }

  /** A bug in the start itself must be seen, not end silently. */
  async #begin(): Promise<void> {
    try {
      const problem = await this.#start();
      if (problem !== null && !this.#options.clock.dead) this.#options.onExit(problem);
    } catch (thrown) {
      if (!this.#options.clock.dead) this.#options.onExit(`threw ${String(thrown)}`);
    }
  }

  /** Answers why it could not start, or null. */
  async #start(): Promise<string | null> {
    const exchange = this.#exchange;
    const spot = await exchange.marketData.spotInstruments();
    if (spot.kind === 'failed') return `instruments: ${spot.error.message}`;
    const specs = [...spot.value];
    if (this.symbols.includes(PERPETUAL)) {
      const perpetuals = await exchange.marketData.derivativeInstruments();
      if (perpetuals.kind === 'failed') return `instruments: ${perpetuals.error.message}`;
      specs.push(...perpetuals.value);
    }
    const offsetMs = (await exchange.clockOffset.measure())?.offsetMs ?? 0;
    if (Math.abs(offsetMs) > OFFSET_HALT_MS) return `clock_off: ${offsetMs}`;
    this.#real.shift(offsetMs);
    await exchange.clockOffset.start((ms) => this.#real.shift(ms));
    const me = await exchange.account.me();
    if (me.kind === 'failed') return `account: ${me.error.message}`;
    if (this.#options.clock.dead) return null;
    this.#wire(new Instruments(specs));
    await this.#reconciled();
    if (this.#options.clock.dead || this.#isEnding) return null;
    this.#options.beforeStrategies?.(this);
    this.#clock.deliver(this.#real.nowUs(), () => this.#engine?.startStrategies(() => new Map()));
    this.#hasStarted = true;
    return null;
  }

  #wire(instruments: Instruments): void {
    const { journal, random, strategies, bootId, onExit, isReckless = false, knobs = asWritten } = this.#options;
    const { sentElsewhere, transfers = false } = this.#options;
    const { symbols } = this;
    const clock = this.#clock;
    const real = this.#real;
    const startedAt = real.now();
    const exchange = this.#exchange;
    this.#instruments = instruments;
    const traded = symbols.flatMap((symbol) => instruments.find(symbol) ?? []);
    if (traded.length < symbols.length) throw new Error(`not all of ${symbols.join()} are there`);
    const watch = this.#watchOf(traded);
    this.#watch = watch;
    const watches = watch === null ? [] : [watch];
    const socket = exchange.publicSocket();
    const stream = createPublicStream({
      onUndecodable: (symbol) => watch?.unreadable(symbol),
      source: pacedSource(socket, clock, real),
      instruments,
      clock,
      knobs,
      fetchSnapshot: async (wanted) => {
        const answer = await exchange.marketData.orderBook(wanted, 1000);
        return answer.kind === 'failed' ? null : answer.value;
      },
    });
    if (this.#options.isBesideAnother !== true) this.#installTime(clock);
    const wall = this.#options.wall ?? (() => this.#options.clock.now());
    const loop = new LoopLag(real, silentLogger, {
      wall,
      onWake: () => void exchange.clockOffset.measure(),
    });
    this.#undo.push(() => loop.stop());
    const money = { watch: { balancesMs: BALANCES_MS, p2pMs: null } };
    const venue = pacedVenue(exchange.venue(traded, money), clock, real);
    const engine = new Engine({
      clock,
      wall,
      random: random.fork('session'),
      venue,
      journal,
      instruments,
      market: stream.market,
      gates: [stream.gate, ...exchange.gates, loop, ...watches],
      execution: executionSchema.parse({
        risk: {
          messagesPerSecond: 10,
          maxOpenNotional: String(OPEN_NOTIONAL_MAX),
          maxGrossValue: String(GROSS_VALUE_MAX),
          maxOrderQuantity: String(ORDER_MAX),
          symbols: Object.fromEntries(symbols.map((symbol) => [symbol, { maxPosition: String(ACCOUNT_POSITION_MAX) }])),
          ...(isReckless ? RECKLESS : {}),
        },
      }),
      reporting: 'USDT',
      strategies: strategies.map((definition) => ({
        loaded: {
          definition,
          file: '',
          files: new Set<string>(),
          modules: new Set<string>(),
          bytes: 0,
          hash: '',
          inputs: new InputLog(''),
          ownNames: new Map(),
          warnings: [],
        },
        file: '',
        tag: definition.name,
        params: {},
        limits: limitsSchema.parse({
          maxPosition: String(POSITION_MAX),
          maxOpenOrders: OPEN_ORDERS_MAX,
          ...(transfers ? { transfers: TRANSFER_LIMITS } : {}),
        }),
        onStop: this.#options.onStop ?? 'cancel',
      })),
      logger: silentLogger,
      bootId,
      knobs,
      facts: { mode: 'live' },
      ...(sentElsewhere === undefined ? {} : { sentElsewhere: () => sentElsewhere(instruments, startedAt) }),
    });
    const reconciler = createReconciler(engine.executor, {
      markets: traded.some(({ market }) => market === 'derivative') ? ['spot', 'derivative'] : ['spot'],
      clockDoubtMs: () => exchange.clockOffset.doubtMs,
      symbols,
    });
    this.#engine = engine;
    this.#reconciler = reconciler;
    this.#stream = stream;
    this.#connected = { reconciler, stream, socket, venue };
    this.#gates = [reconciler.gate, reconciler.instanceGate, stream.gate, ...exchange.gates, loop, ...watches];
    engine.executor.listen((event) => {
      if (event.kind === 'alarm' && event.code === 'journal_failed') onExit(JOURNAL_FAILED);
      if (event.kind === 'order' && event.order.state === 'rejected') watch?.refused(event.order.reason ?? '');
    });
    clock.deliver(real.nowUs(), () => {
      engine.open();
      stream.start();
      for (const symbol of symbols) stream.demand(symbol, 'depth');
      socket.start();
      reconciler.start();
      loop.start();
      watch?.start();
    });
    const look = (): void => {
      journal.idle();
      engine.look(symbols);
    };
    this.#undo.push(real.every(LOOK_MS, () => clock.deliver(real.nowUs(), look)));
  }

  /** As a live session makes it; null where no instrument changes. */
  #watchOf(traded: readonly Instrument[]): InstrumentWatch | null {
    if (this.#options.watchesInstruments?.() !== true) return null;
    const { marketData } = this.#exchange;
    const read = {
      spot: () => marketData.spotInstruments(),
      derivative: () => marketData.derivativeInstruments(),
    };
    const watch = new InstrumentWatch({ traded, read, clock: this.#real, logger: silentLogger });
    this.#undo.push(() => watch.stop());
    return watch;
  }

  #installTime(clock: PacedClock): void {
    this.#undo.push(
      installVirtualTime(clock, {
        unhandled: (thrown) => this.#options.onExit(`an error that no strategy owns: ${String(thrown)}`),
      }),
    );
  }

  /** No strategy begins before a complete comparison; it is asked for again every second, as a session does. */
  async #reconciled(): Promise<void> {
    const reconciler = this.#reconciler;
    if (reconciler === null) return;
    for (;;) {
      const { complete } = await reconciler.runNow();
      if (this.#isEnding || (complete && reconciler.gate.closedBecause('') === null)) return;
      const pause = Promise.withResolvers<void>();
      this.#real.after(1000, pause.resolve);
      await pause.promise;
    }
  }

  /** Channels with their ages, for a failure's report. */
  get channels(): string {
    return JSON.stringify(this.#stream?.status() ?? []);
  }
}
