/**
 * The exchange's state machine behind latency, as a `Venue` (docs/simulation.md).
 *
 *   send ── entry latency ──▶ arrivals ──▶ exchange ──▶ outbox ── response latency ──▶ listener
 *                                             ▲
 *                     onMarket (exchange-time order)
 */
import type { BookSyncOptions } from '../../model/book/book-sync.ts';
import type { Instrument, Instruments } from '../../model/market/instrument.ts';
import type { Random } from '../../model/ports.ts';
import type { Outcome } from '../../model/result.ts';
import type { ArmedStop } from '../../model/trading/program.ts';
import {
  verdictOf,
  type MoneyCommand,
  type OnDispatch,
  type OrderCommand,
  type Venue,
  type VenueCommand,
  type VenueEvent,
  type VenueListener,
  type VenueQueries,
} from '../../model/venue.ts';
import { refused } from './admission.ts';
import { directArrivals, type Arrivals, type LaneClock } from './arrivals.ts';
import { assumptionsOf, type SimulationAssumptions } from '../assumptions.ts';
import { simulationErrors } from '../errors.ts';
import { SimulatedExchange } from './exchange.ts';
import { createLatency, InOrder, type LatencyModel } from './latency.ts';
import type { AccountTotals, VenueObserver } from './observer.ts';
import type { SimulationOptions } from '../options.ts';
import type { BarColumns } from '../columns/bar-columns.ts';
import { BarFeed } from '../columns/bar-feed.ts';
import { ColumnFeed, type ReplayColumns } from '../columns/column-feed.ts';
import { safeMids } from '../columns/safe-mids.ts';
import { CandleMatching } from '../matching/candle-matching.ts';
import { BookMatching } from '../matching/matching.ts';
import type { ClockSource } from '../clock/virtual-clock.ts';
import { createStress } from '../stress/stress.ts';
import { Outbox } from './outbox.ts';
import type { VenueState } from './venue-state.ts';
import type { Happening } from '../matching/working-order.ts';
import { Watermark } from './watermark.ts';
import type { Decimal } from '../../model/numbers/money.ts';
import { US_PER_MS, usOf } from '../../model/time.ts';
import { SimulatedMoney, type SimulatedMoneyOptions } from '../money/money.ts';

export interface SimulatedVenueDeps {
  readonly clock: LaneClock;
  readonly instruments: Instruments;
  readonly options: SimulationOptions;
  readonly random: Random;
  /** Empty or absent: the defaults. */
  readonly start?: Readonly<Record<string, string>>;
  /** What the account is for, if known. */
  readonly traded?: readonly Instrument[];
  /** Default: no sequence, usable from the first update. */
  readonly sync?: (symbol: string) => BookSyncOptions;
  /** Paper: commands wait for the watermark. `offsetUs`: exchange clock minus local clock. */
  readonly live?: { readonly offsetUs: () => number };
  readonly observer?: VenueObserver;
  /** Absent: nothing beside the trading account. */
  readonly money?: SimulatedMoneyOptions;
  /** Default 100,000. */
  readonly historyMax?: number;
  /** What programs would do inside a bar, which they hear of at its end. Absent: nothing. */
  readonly stops?: (symbol: string) => readonly ArmedStop[];
}

/** Commands of one symbol in the same µs get one answer. */
interface Arrival {
  readonly us: number;
  /** Null: several symbols. */
  readonly symbol: string | null;
  /** `decidedUs`: receive-time clock. */
  readonly commands: { readonly command: OrderCommand; readonly decidedUs: number }[];
}

const DOWN = refused('service_unavailable', 'the venue is down (simulation.stress)');

const UNPROVEN: BookSyncOptions = { rule: 'none', start: 'updates' };

export class SimulatedVenue implements Venue {
  readonly printsOwn = false;
  readonly clientOrderIds = true;
  readonly query: VenueQueries;
  readonly #deps: SimulatedVenueDeps;
  readonly #exchange: SimulatedExchange;
  readonly #money: SimulatedMoney;
  readonly #latency: LatencyModel;
  readonly #entry = new InOrder();
  readonly #arrivals: Arrivals;
  readonly #outbox: Outbox;
  /** Exchange clock. */
  readonly #isDown: (us: number) => boolean;
  readonly #offsetUs: () => number;
  /** Of the bars whose end is awaited. */
  #instantUs = Number.NaN;
  /** More commands can join it. */
  #newest: Arrival | null = null;
  #sent = 0;
  #started = false;
  #columns: ColumnFeed | BarFeed | null = null;

  constructor(deps: SimulatedVenueDeps) {
    const { clock, instruments, options, live } = deps;
    this.#deps = deps;
    const stress = createStress(options.stress, deps.random.fork('stress'), clock.nowUs() + (live?.offsetUs() ?? 0));
    this.#latency = stress.slowed(createLatency(options.latency, deps.random));
    this.#isDown = stress.isDown;
    this.#exchange = new SimulatedExchange({
      instruments,
      options,
      rates: stress.fees(options.fees),
      start: deps.start ?? {},
      ...(deps.traded === undefined ? {} : { traded: deps.traded }),
      sync: deps.sync ?? (() => UNPROVEN),
      ...(deps.stops === undefined ? {} : { stops: deps.stops }),
      ...(deps.observer === undefined ? {} : { observer: deps.observer }),
      ...(deps.historyMax === undefined ? {} : { historyMax: deps.historyMax }),
    });
    this.#offsetUs = live?.offsetUs ?? (() => 0);
    this.#arrivals =
      live === undefined ? directArrivals(clock) : new Watermark(clock, options.watermarkMs * US_PER_MS, live.offsetUs);
    this.#outbox = new Outbox(clock);
    this.#money = new SimulatedMoney({
      ...(deps.money ?? { accounts: {}, markets: [] }),
      purse: this.#exchange.purse,
      covers: (currency, amount) => this.#exchange.margin.free(currency).gte(amount),
      now: () => clock.now(),
    });
    this.query = this.#queries();
  }

  listen(listener: VenueListener): void {
    if (this.#outbox.connected) throw simulationErrors.make('simulation_listener', 'a second listener');
    this.#outbox.connect(listener);
  }

  /** Call once, before `start`. */
  restore(state: VenueState): void {
    if (this.#started) throw simulationErrors.make('simulation_state', 'restored after the start');
    this.#exchange.restore(state, this.#exchangeUs());
    this.#money.restore(state.accepted ?? []);
  }

  start(): void {
    if (!this.#outbox.connected) throw simulationErrors.make('simulation_listener', 'started without a listener');
    if (this.#started) return;
    this.#started = true;
    this.#exchange.open();
    this.#exchange.takeEvents();
    const settings = this.#exchange.settings();
    const told: VenueEvent[] = settings.length === 0 ? [] : [{ kind: 'positions', positions: settings, whole: false }];
    this.#outbox.post(this.#deps.clock.nowUs(), [
      ...told,
      { kind: 'stream', state: 'ready', generation: 1, reason: 'simulated venue' },
      { kind: 'balances', balances: this.#exchange.purse.balances(), whole: true },
      { kind: 'positions', positions: this.#exchange.positions(), whole: true },
      ...this.#money.start(),
    ]);
  }

  async stop(): Promise<void> {
    this.#outbox.close();
  }

  /** Arrives after entry latency, never before an earlier command. */
  send(command: VenueCommand, onDispatch: OnDispatch): void {
    const verdict = verdictOf(onDispatch);
    if (verdict !== 'go') {
      const { intentId } = command;
      const kind = command.kind === 'money' ? 'money-outcome' : 'outcome';
      const outcome = { kind: 'denied', denied: verdict } as const;
      this.#outbox.post(this.#deps.clock.nowUs(), [{ kind, intentId, outcome }]);
      return;
    }
    const leavesUs = this.#exchangeUs();
    const us = this.#entry.arrival(leavesUs + this.#latency.entryUs(leavesUs));
    if (command.kind === 'money') {
      this.#move(command, us);
      return;
    }
    const decidedUs =
      command.kind === 'create' && command.decidedAt !== undefined ? usOf(command.decidedAt) : this.#deps.clock.nowUs();
    if (command.kind !== 'create' && !this.#isDown(us)) {
      const orderIds = command.kind === 'cancel' ? [command.orderId] : command.orderIds;
      this.#exchange.cancelsComing(orderIds, us, decidedUs);
    }
    this.#sent += 1;
    this.#arrive(command, us, decidedUs);
  }

  /** Waits for no market event, because none concerns it. */
  #move({ intentId, request }: MoneyCommand, us: number): void {
    this.#sent += 1;
    this.#deps.clock.schedule(us - this.#offsetUs(), 'command', () => {
      this.#sent -= 1;
      this.catchUp();
      const outcome = this.#isDown(us) ? DOWN : this.#money.outcomeOf(request, us / US_PER_MS);
      this.#say(us, [{ kind: 'money-outcome', intentId, outcome }, this.#money.told()]);
      this.#columns?.moved();
    });
  }

  #arrive(command: OrderCommand, us: number, decidedUs: number): void {
    const symbol = command.kind === 'cancelMany' ? null : (command.kind === 'create' ? command.order : command).symbol;
    const newest = this.#newest;
    if (newest !== null && symbol !== null && newest.us === us && newest.symbol === symbol) {
      newest.commands.push({ command, decidedUs });
      return;
    }
    const arrival: Arrival = { us, symbol, commands: [{ command, decidedUs }] };
    this.#newest = arrival;
    const symbols = (): ReadonlySet<string> =>
      command.kind === 'cancelMany' ? this.#exchange.symbolsOf(command.orderIds) : new Set([symbol!]);
    this.#arrivals.submit(us, symbols, () => this.#execute(arrival));
  }

  together(run: () => void): void {
    run();
  }

  /** Commands and answers. */
  get underWay(): number {
    return this.#sent + this.#outbox.waiting;
  }

  /** Call in exchange-time order. */
  onMarket(event: Happening): void {
    if (event.kind !== 'bar-open') this.#latency.observe?.(event.receiveUs - event.exchangeUs);
    this.#arrivals.beforeMarket(event.instrument.symbol, event.exchangeUs);
    const hasCaused = this.#exchange.onMarket(event);
    if (event.kind === 'bar-open') this.#openLater(event.instrument);
    const { instantUs } = this.#exchange;
    if (instantUs === event.exchangeUs && instantUs !== this.#instantUs) {
      this.#instantUs = instantUs;
      // After all market events of this moment.
      this.#deps.clock.schedule(this.#deps.clock.nowUs(), 'venue', () => {
        this.#instantUs = Number.NaN;
        if (this.#exchange.endInstant()) this.#tell(instantUs);
      });
    }
    if (hasCaused) this.#tell(event.exchangeUs);
  }

  #tell(us: number): void {
    if (this.#exchange.takeGranted()) this.#outbox.post(this.#deps.clock.nowUs(), this.#exchange.takeEvents());
    else this.#say(us, []);
  }

  /** In place of `onMarket`: the market of its only symbol as columns. Null where its rules need every event. */
  replay(replay: ReplayColumns | BarColumns): ClockSource | null {
    const { clock, options, live } = this.#deps;
    const exchange = this.#exchange;
    if (live !== undefined || this.#latency.observe !== undefined || !isCalm(options)) return null;
    const symbol = exchange.symbolVenue(replay.kind === 'bars' ? replay.instrument : replay.columns.instrument);
    const { engine } = symbol;
    const venue = {
      nowUs: () => clock.nowUs(),
      onMarket: (event: Happening) => this.onMarket(event),
      passed: (us: number) => exchange.passed(symbol, us),
      safeMids: () => safeMids(symbol, exchange.margin),
      fundsFromUs: () => symbol.fundsFromUs,
    };
    if (replay.kind === 'bars' && engine instanceof CandleMatching) {
      const isQuiet = (): boolean => !engine.hasOrders && exchange.isQuiet(symbol);
      this.#columns = new BarFeed(replay, { ...venue, engine, isQuiet });
    } else if (replay.kind === 'book' && engine instanceof BookMatching && hasRows(options)) {
      const isQuiet = (): boolean => !engine.hasTaken && exchange.isQuiet(symbol);
      this.#columns = new ColumnFeed(replay, { ...venue, engine, isQuiet });
    }
    return this.#columns;
  }

  /** Notifies the observer of the mids up to now. */
  catchUp(): void {
    this.#columns?.catchUp();
  }

  /** Open orders trade once all decisions of the previous close were sent. */
  #openLater(instrument: Instrument): void {
    const dueUs = this.#exchange.openDueUs(instrument);
    if (dueUs === Infinity) return;
    // After all work of that instant, promises too.
    this.#deps.clock.schedule(dueUs + 1, 'command', () => {
      if (this.#exchange.tradeOpen(instrument, dueUs)) this.#say(dueUs, []);
    });
  }

  /** As of the symbol, until `us`. */
  markStoodUs(instrument: Instrument, us: number): number {
    return this.#exchange.symbolVenue(instrument).markStoodUs(us);
  }

  account(): AccountTotals {
    return this.#exchange.account();
  }

  /** By the insurance, so far. */
  insured(currency: string): Decimal {
    return this.#exchange.purse.insured(currency);
  }

  assumptions(): SimulationAssumptions {
    return assumptionsOf(this.#deps.options, this.#deps.start ?? {}, this.#deps.live !== undefined);
  }

  #execute(arrival: Arrival): void {
    if (this.#newest === arrival) this.#newest = null;
    const { us, commands } = arrival;
    this.#sent -= commands.length;
    this.catchUp();
    const answers = commands.map(({ command, decidedUs }): VenueEvent => {
      const outcome = this.#outcomeOf(command, us, decidedUs);
      return { kind: 'outcome', intentId: command.intentId, outcome };
    });
    this.#say(us, answers);
    this.#columns?.moved();
  }

  #outcomeOf(command: OrderCommand, us: number, decidedUs: number): Outcome {
    if (this.#isDown(us)) return DOWN;
    switch (command.kind) {
      case 'create':
        return this.#exchange.create(command.order, us, decidedUs, command.onBars);
      case 'cancel':
        return this.#exchange.cancel(command.orderId, us);
      case 'cancelMany':
        return this.#exchange.cancelMany(command.orderIds, us);
    }
  }

  /** Answers first, then pushed events. */
  #say(us: number, answers: VenueEvent[]): void {
    const events = this.#exchange.takeEvents(answers);
    this.#outbox.post(us - this.#offsetUs() + this.#latency.responseUs(us), events);
  }

  #exchangeUs(): number {
    return this.#deps.clock.nowUs() + Math.round(this.#offsetUs());
  }

  #queries(): VenueQueries {
    const { store, purse } = this.#exchange;
    const now = (): number => this.#deps.clock.now();
    return {
      ...this.#money.query,
      activeOrders: async () => store.active(now()),
      orderHistory: async (request) => store.history(request, now()),
      ownTrades: async (request) => store.trades(request, now()),
      balances: async () => ({ kind: 'complete', asOf: now(), items: [...purse.balances(), ...this.#money.others()] }),
      positions: async () => ({ kind: 'complete', asOf: now(), items: this.#exchange.positions() }),
    };
  }
}

/** Excludes row-by-row books and books of best quotes alone. */
function hasRows({ mode, exchange }: SimulationOptions): boolean {
  return mode === 'default' && (exchange === 'partial-fill' || exchange === 'no-partial-fill');
}

/** Excludes fees that change by themselves, too. */
function isCalm({ stress: { outages, bursts, gaps, fees } }: SimulationOptions): boolean {
  return [outages, bursts, gaps, fees].every((list) => Array.isArray(list) && list.length === 0);
}
