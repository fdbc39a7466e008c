/**
 * The world of one scenario: a virtual clock, the simulated exchange, and one process after another on one journal.
 *
 *   test ── market event ──▶ exchange ◀── line ──▶ process (executor, reconciler, strategy) ──▶ journal in memory
 *                    └──────────────────────────────▶ market data of the process
 */
import { createHash } from 'node:crypto';
import type { Action } from '../model/trading/action.ts';
import type { Fill } from '../model/trading/fill.ts';
import { Instruments, type Instrument } from '../model/market/instrument.ts';
import type { JournalStore } from '../model/entries/journal.ts';
import { canonicalJson } from '../model/text/canonical.ts';
import type { DepthEvent, GapEvent, MarketEvent, TradeEvent } from '../model/market/market-event.ts';
import type { OrderUpdate } from '../model/trading/order.ts';
import { seededRandom } from '../model/random.ts';
import { parseTime, usOf } from '../model/time.ts';
import type { Candle } from '../model/market/views.ts';
import { createMemoryJournal } from '../journal/memory-store.ts';
import { p2pMarketsOf } from '../simulation/money/p2p-markets.ts';
import { SimulatedVenue } from '../simulation/venue/venue.ts';
import { VirtualClock } from '../simulation/clock/virtual-clock.ts';
import type { ExecutorEvent } from '../spine/events.ts';
import { testingErrors } from './errors.ts';
import { barsOf, bookBehind, candlesBefore, type ScenarioSignal } from './market-script.ts';
import { configOf, preparedStrategy, specsOf, START_MS, type ScenarioOptions } from './options.ts';
import { Process } from './process.ts';
import { VenueLine } from './venue-line.ts';

/** Microtask turns in which a query of the reconciler, or a promise of a strategy, comes to rest. */
const TURNS = 40;
/** A new process has compared its account by then. */
const COMPARED_WITHIN_MS = 60_000;

export class ScenarioWorld {
  readonly clock: VirtualClock;
  readonly instruments: Instruments;
  readonly instrument: Instrument;
  readonly intervalMs: number;
  /** Since the last expectation of actions. */
  actions: Action[] = [];
  readonly fills: Fill[] = [];
  readonly orders = new Map<string, OrderUpdate>();
  readonly denials: Extract<ExecutorEvent, { readonly kind: 'denied' }>[] = [];
  readonly lastPrices = new Map<string, number>();
  readonly startUs: number;
  trades = 0;
  readonly #options: ScenarioOptions;
  readonly #journal: JournalStore;
  readonly #venue: SimulatedVenue;
  readonly #line: VenueLine;
  readonly #newProcess: () => Process;
  #process: Process;
  #processes = 0;
  /** By symbol, as last published. */
  readonly #books = new Map<string, DepthEvent>();
  #gapFromUs = 0;
  #signals = 0;

  constructor(options: ScenarioOptions) {
    const { start = START_MS, seed = 1 } = options;
    const strategy = preparedStrategy(options);
    this.#options = options;
    this.clock = new VirtualClock(usOf(typeof start === 'number' ? start : parseTime(start)));
    this.startUs = this.clock.nowUs();
    this.instruments = new Instruments(specsOf(options, strategy));
    this.instrument = this.instruments.all()[0]!;
    const { definition } = strategy.loaded;
    const frame = definition.candleNeeds(strategy.params)?.frames.at(-1) ?? definition.history(strategy.params)[0];
    this.intervalMs = frame?.intervalMs ?? 60_000;
    const config = configOf(options, this.instruments.all());
    const random = seededRandom(seed);
    this.#journal = createMemoryJournal({ rowsMax: Number.MAX_SAFE_INTEGER });
    this.#venue = new SimulatedVenue({
      clock: this.clock,
      instruments: this.instruments,
      options: config.simulation,
      random: random.fork('venue'),
      start: config.account.start,
      // Each book is published completely.
      sync: () => ({ rule: 'none', start: 'snapshot' }),
      money: { accounts: config.account.accounts, markets: p2pMarketsOf(config.simulation.p2p) },
      stops: (symbol) => this.#process.engine.executor.stops(symbol),
    });
    this.#line = new VenueLine(this.#venue, () => this.clock.now());
    const { market, quote, settle } = this.instrument;
    this.#newProcess = () =>
      new Process({
        clock: this.clock,
        line: this.#line,
        journal: this.#journal,
        instruments: this.instruments,
        random,
        config,
        reporting: market === 'spot' ? quote : settle,
        strategy,
        ...(options.log === undefined ? {} : { logger: options.log }),
        number: ++this.#processes,
        onActions: (actions) => void this.actions.push(...actions),
        onEvent: (event) => this.#hear(event),
      });
    this.#process = this.#newProcess();
  }

  get process(): Process {
    return this.#process;
  }

  get account(): ReturnType<Process['engine']['executor']['account']> {
    return this.#process.engine.executor.account(this.tag);
  }

  get tag(): string {
    return this.#options.strategy.name;
  }

  get isCut(): boolean {
    return this.#line.isCut;
  }

  instrumentOf(symbol: string | undefined): Instrument {
    const found = symbol === undefined ? this.instrument : this.instruments.find(symbol);
    if (found !== undefined) return found;
    const has = this.instruments.symbols().join(', ');
    throw testingErrors.make('scenario_invalid', `the scenario has no instrument ${symbol}; it has ${has}`);
  }

  /** Starts the process: restored, compared, then the strategy. */
  async begin(): Promise<void> {
    this.#process.open();
    const byUs = this.clock.nowUs() + usOf(COMPARED_WITHIN_MS);
    await this.settle();
    const isReady = (): boolean => this.instruments.symbols().every((symbol) => this.#process.isCompared(symbol));
    while (!this.isCut && !isReady() && this.clock.step(byUs)) await this.settle();
    this.#process.start(this.#warmup());
    await this.settle();
  }

  /** The executor, its reconciler and the strategy die now; new ones start on the journal. */
  async crash(): Promise<void> {
    this.#process.die();
    this.#process.time.leave();
    this.#process = this.#newProcess();
    this.#process.time.enter();
    await this.begin();
  }

  cut(): void {
    this.#gapFromUs = this.clock.nowUs();
    this.#line.cut();
    this.#tellGap(true);
  }

  async mend(): Promise<void> {
    this.#line.mend();
    this.#tellGap(false);
    await this.settle();
  }

  async happen(event: MarketEvent): Promise<void> {
    if (event.kind === 'depth') this.#books.set(event.instrument.symbol, event);
    this.#venue.onMarket(event);
    await this.#heard(event);
  }

  /** A trade that meets the own orders of its price first: the exchange alone sees the book without them. */
  async happenInFront(trade: TradeEvent): Promise<void> {
    const us = this.clock.nowUs();
    const book = this.#books.get(trade.instrument.symbol);
    if (book !== undefined) {
      // After a gap no print is taken for the reason why a quantity has gone.
      this.#venue.onMarket(this.#gap(trade.instrument, us, true));
      this.#venue.onMarket(bookBehind(book, trade, us));
    }
    this.#venue.onMarket(trade);
    if (book !== undefined) this.#venue.onMarket({ ...book, exchangeUs: us, receiveUs: us });
    await this.#heard(trade);
  }

  async #heard(event: MarketEvent): Promise<void> {
    if (!this.isCut) this.#process.market.onEvent(event);
    await this.settle();
  }

  async signal({
    name,
    data,
    id = `scenario-${++this.#signals}`,
    ts = this.clock.now(),
  }: ScenarioSignal): Promise<void> {
    this.#process.inbox.accept(Object.freeze({ name, id, ts, data }));
    await this.settle();
  }

  async advance(ms: number): Promise<void> {
    const untilUs = this.clock.nowUs() + usOf(ms);
    while (this.clock.step(untilUs)) await this.settle();
    this.clock.advanceTo(untilUs);
    await this.settle();
  }

  /** Until nothing is due at this instant. Throws `scenario_strategy_failed`. */
  async settle(): Promise<void> {
    do {
      for (let turn = 0; turn < TURNS; turn++) await Promise.resolve();
    } while (this.clock.step(this.clock.nowUs()));
    const [failure] = this.#process.engine.failures.values();
    if (failure !== undefined)
      throw testingErrors.make('scenario_strategy_failed', failure.message, { code: failure.code }, failure);
  }

  /** SHA-256 of all rows of the journal. */
  journalHash(): string {
    const hash = createHash('sha256');
    for (const { seq, ts, entry } of this.#journal.read()) hash.update(canonicalJson({ seq, ts, entry }));
    return hash.digest('hex');
  }

  #warmup(): ReadonlyMap<string, readonly Candle[]> {
    const { warmup = [] } = this.#options;
    const endMs = Math.floor(this.clock.now() / this.intervalMs) * this.intervalMs;
    const { symbol } = this.instrument;
    return new Map([[symbol, candlesBefore(symbol, barsOf(warmup), this.intervalMs, endMs)]]);
  }

  #tellGap(open: boolean): void {
    for (const instrument of this.instruments.all())
      this.#process.market.onEvent(this.#gap(instrument, this.#gapFromUs, open));
  }

  #gap(instrument: Instrument, fromUs: number, open: boolean): GapEvent {
    const us = this.clock.nowUs();
    return { kind: 'gap', instrument, exchangeUs: us, receiveUs: us, reason: 'outage of the scenario', fromUs, open };
  }

  #hear(event: ExecutorEvent): void {
    if (event.kind === 'fill') this.fills.push(event.fill);
    else if (event.kind === 'order') this.orders.set(event.order.ref, event.order);
    else if (event.kind === 'denied') this.denials.push(event);
  }
}
