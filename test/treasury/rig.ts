/** An executor on a venue whose money answers and lists a test gives by hand. */
import { executionSchema } from '../../src/execution/options.ts';
import { Executor } from '../../src/execution/executor.ts';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { Instruments } from '../../src/model/market/instrument.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { silentLogger } from '../../src/model/ports.ts';
import type { TransactionRow } from '../../src/model/funds/money-records.ts';
import type { MoneyOutcome, Reading } from '../../src/model/result.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest } from '../../src/model/funds/money-commands.ts';
import { verdictOf, type OnDispatch, type VenueCommand } from '../../src/model/venue.ts';
import { limitsSchema } from '../../src/risk/options.ts';
import { SimulatedAdvertisements, SIMULATED_USER } from '../../src/simulation/money/advertisements.ts';
import { p2pMarketsOf, p2pOptions } from '../../src/simulation/money/p2p-markets.ts';
import type { ExecutorEvent } from '../../src/spine/events.ts';
import { advertise } from '../../src/strategy/actions.ts';
import { BTC, FixedMarket, HandClock, TestVenue } from '../execution/rig.ts';

type Answer = MoneyOutcome<MoneyAnswers[MoneyKind]>;

export class MoneyVenue extends TestVenue {
  readonly clock: HandClock;
  readonly markets = p2pMarketsOf(p2pOptions.parse(undefined));
  readonly rows = new SimulatedAdvertisements(this.markets);
  /** Requests that left. */
  readonly requests: MoneyRequest[] = [];
  /** `answer`: at once. `hold`: until `release`. `lose`: it is carried out, and its outcome is unknown. */
  mode: 'answer' | 'hold' | 'lose' = 'answer';
  /** No request leaves. */
  refusing = false;
  /** Requests of this kind never arrive, and their outcome is unknown. */
  losing: MoneyKind | null = null;
  /** Requests of this kind are answered as refused; `transactions` says what happened. */
  denying: MoneyKind | null = null;
  transactions: TransactionRow[] = [];
  #held: (() => void)[] = [];

  constructor(clock: HandClock) {
    super(clock);
    this.clock = clock;
    const none = async (): Promise<Reading<never>> => this.#whole([]);
    Object.assign(this.query, {
      transactions: async () => this.#whole(this.transactions),
      codes: none,
      advertisements: async () => this.#whole(this.rows.all()),
      p2pTrades: none,
      p2pMarkets: async () => this.#whole(this.markets),
      p2pProfile: async () => this.#whole([SIMULATED_USER]),
    });
  }

  override start(): void {
    this.emit({ kind: 'p2pProfile', user: SIMULATED_USER });
    this.emit({ kind: 'p2pMarkets', markets: this.markets });
    this.poll();
  }

  poll(): void {
    this.emit({ kind: 'advertisements', advertisements: this.rows.all(), whole: true });
  }

  override send(command: VenueCommand, onDispatch: OnDispatch): void {
    if (command.kind !== 'money') return super.send(command, onDispatch);
    const { intentId, request } = command;
    const { mode } = this;
    this.clock.after(1, () => {
      const verdict = verdictOf(onDispatch);
      if (verdict !== 'go') return this.#outcome(intentId, { kind: 'denied', denied: verdict });
      if (this.refusing) return this.#outcome(intentId, { kind: 'not-sent', reason: 'connect refused' });
      this.requests.push(request);
      if (request.kind === this.losing) this.#outcome(intentId, { kind: 'unknown', reason: 'timeout' });
      else if (request.kind === this.denying)
        this.#outcome(intentId, { kind: 'refused', code: 'insufficient_balance', message: 'no money' });
      else if (mode === 'hold') this.#held.push(() => this.#outcome(intentId, this.#take(request)));
      else {
        const outcome = this.#take(request);
        this.#outcome(intentId, mode === 'lose' ? { kind: 'unknown', reason: 'timeout' } : outcome);
      }
      return undefined;
    });
  }

  override release(): void {
    this.mode = 'answer';
    for (const run of this.#held.splice(0)) run();
  }

  get statuses(): readonly string[] {
    return this.rows.all().map(({ status }) => status);
  }

  get kinds(): readonly string[] {
    return this.requests.map(({ kind }) => kind);
  }

  #whole<T>(items: readonly T[]): Reading<T> {
    return { kind: 'complete', asOf: this.clock.now(), items };
  }

  #outcome(intentId: string, outcome: Answer): void {
    this.emit({ kind: 'money-outcome', intentId, outcome });
  }

  #take(request: MoneyRequest): Answer {
    const now = this.clock.now();
    const answer = this.#carryOut(request, now);
    return 'kind' in answer ? answer : { kind: 'accepted', value: answer };
  }

  #carryOut(request: MoneyRequest, now: number): ReturnType<SimulatedAdvertisements['move']> {
    switch (request.kind) {
      case 'advertise':
        return this.rows.create(request, now);
      case 'editAdvertisement':
        return this.rows.edit(request, now);
      case 'activateAdvertisement':
      case 'deactivateAdvertisement':
      case 'deleteAdvertisement':
        return this.rows.move(request.kind, request.advertisementId, now);
      default:
        throw new Error(`no ${request.kind} here`);
    }
  }
}

const transfers = { routes: [['unified-trading', 'funding']], max: { USDT: '100' } };

export interface P2pRig {
  readonly clock: HandClock;
  readonly venue: MoneyVenue;
  readonly executor: Executor;
  readonly events: ExecutorEvent[];
  readonly journal: JournalStore;
}

/** `before`: an earlier process of the same session, which died. `lists: false`: the venue says nothing yet. */
export function p2pRig(before?: P2pRig, { lists = true } = {}): P2pRig {
  const clock = before?.clock ?? new HandClock();
  const venue = new MoneyVenue(clock);
  if (before !== undefined) Object.assign(venue, { rows: before.venue.rows });
  const journal = before?.journal ?? createMemoryJournal();
  const executor = new Executor({
    venue,
    journal,
    clock,
    instruments: new Instruments([BTC]),
    market: new FixedMarket(),
    gates: [],
    options: executionSchema.parse({}),
    strategies: [{ tag: 'maker', name: 'maker', limits: limitsSchema.parse({ p2p: true, transfers }) }],
    logger: silentLogger,
    bootId: `b${journal.lastSeq}`,
    reporting: 'USDT',
  });
  const events: ExecutorEvent[] = [];
  executor.listen((event) => events.push(event));
  executor.restore();
  if (lists) venue.start();
  return { clock, venue, executor, events, journal };
}

export function offer(rig: P2pRig, more: object = {}): void {
  const terms = { price: '95', amount: '500', minLimit: '500', maxLimit: '5000', paymentMethodIds: ['1'] };
  rig.executor.submit('maker', advertise({ ref: 'one', marketId: 'USDTRUB', side: 'sell', ...terms, ...more }));
}
