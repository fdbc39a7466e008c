/**
 * A human who calls `tidewire panic`, with or without `--flatten`, on the machine of the session: a process of its own, whose
 * requests meet the same faults, and which may be killed at any instant. The session hears the call as it runs or as it starts. What
 * was sent for it stands in a real list beside a real copy of its journal. Some time later the human lets it trade again.
 *
 * Law K4: where it says that nothing is open and everything was closed, that is so.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCredentials } from '../../../src/exchange/client/credentials.ts';
import { createExchange, type Exchange } from '../../../src/exchange/exchange.ts';
import { exchangeOptions } from '../../../src/exchange/options.ts';
import { openJournal } from '../../../src/journal/sqlite-store.ts';
import { messageOf } from '../../../src/model/errors.ts';
import { Instruments } from '../../../src/model/market/instrument.ts';
import type { CreateIntentEntry, JournalRow, JournalStore } from '../../../src/model/entries/journal.ts';
import { dec, ZERO } from '../../../src/model/numbers/money.ts';
import { silentLogger, type PreparedRequest } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import { PANIC_FLATTEN } from '../../../src/risk/kill-switch.ts';
import { flattenEverything, type Flattening } from '../../../src/session/emergency/panic-flatten.ts';
import { panicOrders } from '../../../src/session/emergency/panic-ledger.ts';
import { panicWatch, takePanicOrders } from '../../../src/session/emergency/panic-orders.ts';
import { cancelEverything, Problems } from '../../../src/session/emergency/panic.ts';
import { createSession, writeSession, type SessionFolder } from '../../../src/session/store/store.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { intentIdOf } from '../../../src/spine/intent-id.ts';
import type { FaultPlan } from './fault-plan.ts';
import { httpNetwork, type HttpWorld } from './http-network.ts';
import type { Laws } from './laws.ts';
import { ProcessClock } from './process-clock.ts';
import { REST_URL, WS_URL, type Process } from './process.ts';
import type { RareStates } from './rare-states.ts';
import { CREATE_PATH, Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';

/** As configured when nobody says otherwise. */
const LAG_MS = 30_000;
/** A running session looks for a call so often. */
const HEARD_MS_MAX = 250;
const FLATTEN_SHARE = 0.7;
const KILLED_SHARE = 0.2;
const KILLED_MS_MAX = 45_000;
const LOOK_MS_MIN = 1000;
const LOOK_MS_MAX = 90_000;
/** Too little for an order, and the fee of what was bought back. */
const LEAST = dec('0.0011');
const ACCOUNT = 'alice';

export interface PanicOptions {
  readonly clock: VirtualClock;
  readonly venue: VenueSide;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly laws: Laws;
  readonly rare: RareStates;
  readonly clientOrderIds: boolean;
  /** The way to the exchange of the process that runs. */
  readonly world: () => HttpWorld;
  readonly process: () => Process | null;
  /** Runs it in the process that runs, once that is awake. */
  readonly handToProcess: (us: number, run: (process: Process) => void) => void;
  readonly rows: () => readonly JournalRow[];
  readonly tags: () => readonly string[];
  readonly skewUs: () => number;
  /** Nothing struck that the fault model leaves to a human. */
  readonly isClassA: () => boolean;
}

export class Panic {
  readonly #options: PanicOptions;
  readonly #root = mkdtempSync(join(tmpdir(), 'tidewire-panic-'));
  #session: SessionFolder | null = null;
  #sessions = 0;
  #calls = 0;
  /** What a session that starts has to heed. */
  #call: string | null = null;
  /** The clock of the one that runs. */
  #runs: ProcessClock | null = null;
  #copy: JournalStore | null = null;
  #hasSent = false;
  /** Strategies of a session before held something when it ended. */
  #holdsEarlier = false;
  /** True time, µs; null while no human has to let the session trade again. */
  #lookUs: number | null = null;

  constructor(options: PanicOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#runs !== null;
  }

  begin(): void {
    if (this.isRunning) return;
    const { clock, plan, trace, rare, skewUs, clientOrderIds } = this.#options;
    // Without ids what a panic has sent can be told by its terms alone.
    const flattens = clientOrderIds && plan.between(0, 1) < FLATTEN_SHARE;
    const reason = flattens ? PANIC_FLATTEN : 'panic';
    rare.mark(flattens ? 'panic that closes positions' : 'panic');
    trace.add(clock.nowUs(), reason);
    this.#lookUs = null;
    this.#call = reason;
    const own = new ProcessClock(clock, skewUs());
    this.#runs = own;
    this.#options.handToProcess(clock.nowUs() + Math.round(plan.between(0, HEARD_MS_MAX) * 1000), (process) =>
      this.heed(process),
    );
    if (flattens) this.#mirror();
    if (plan.between(0, 1) < KILLED_SHARE)
      clock.schedule(clock.nowUs() + Math.round(plan.between(0, KILLED_MS_MAX) * 1000), 'venue', () => {
        if (this.#runs === own) this.#end(own, 'killed');
      });
    void this.#run(own, flattens).then(
      () => this.#end(own, 'over'),
      (thrown: unknown) => this.#options.laws.violated('crash', `a panic threw ${messageOf(thrown)}`),
    );
  }

  /** Once a second: a human who has looked lets the session trade again. */
  everySecond(): void {
    const { clock, process } = this.#options;
    const running = process();
    if (this.#lookUs === null || clock.nowUs() < this.#lookUs) return;
    if (running === null || running.engine === null) return;
    this.#lookUs = null;
    this.#call = null;
    running.clearKill('the simulated human looked at what the panic did');
  }

  /** A session that is told by its folder; called where its kill switch can be latched. */
  heed(process: Process): void {
    if (this.#call === null || process.engine === null) return;
    process.kill(this.#call);
    // What does not stand in the journal yet is heeded once more by the next start.
    if (process.engine.executor.journalFailure === undefined) this.#call = null;
  }

  /** Nothing runs yet of the start: what a panic sent for the session goes into its journal, as before each `run`. */
  beforeStart(journal: JournalStore, nowMs: number): void {
    if (!this.#hasSent || this.#session === null) return;
    if (takePanicOrders(journal, this.#session, nowMs) > 0)
      this.#options.rare.mark('order of a panic taken over by a start');
  }

  /** For a session that runs. */
  sentElsewhere(instruments: Instruments, startedAt: number): readonly CreateIntentEntry[] | null {
    if (!this.#hasSent || this.#session === null) return [];
    return panicWatch(this.#session, { instruments, startedAt, logger: silentLogger })();
  }

  /** Rows became durable: the copy has them, too. */
  appended(rows: readonly JournalRow[]): void {
    for (const { ts, entry } of rows) this.#copy?.append(ts, [entry]);
  }

  /** Another session follows, with a journal of its own. That of the one before stays, whole: a panic closes what it left, too. */
  beginsAnew(): void {
    if (this.#session !== null) this.#mirror();
    const held = [...this.#options.laws.spotHeld.values()];
    this.#holdsEarlier ||= held.some((quantity) => !quantity.isZero());
    this.#copy?.close();
    this.#copy = null;
    this.#session = null;
    this.#hasSent = false;
  }

  stop(): void {
    if (this.#runs !== null) this.#end(this.#runs, 'the world ends');
    rmSync(this.#root, { recursive: true, force: true });
  }

  #end(own: ProcessClock, how: string): void {
    if (this.#runs !== own) return;
    const { clock, trace, plan, rare } = this.#options;
    if (how === 'killed') rare.mark('panic that was killed');
    trace.add(clock.nowUs(), `panic is over: ${how}`);
    own.dead = true;
    this.#runs = null;
    this.#copy?.close();
    this.#copy = null;
    this.#lookUs = clock.nowUs() + Math.round(plan.between(LOOK_MS_MIN, LOOK_MS_MAX) * 1000);
  }

  /** A folder of the session with all rows so far; those that come are added while the panic runs. */
  #mirror(): void {
    const { clock, rows, tags } = this.#options;
    const strategies = tags().map((tag) => ({ name: tag, tag, file: '', params: {} }));
    const now = clock.now();
    const suffix = `s${this.#sessions++}`;
    const folder = (this.#session ??= createSession(this.#root, {
      mode: 'live',
      strategies,
      seed: 1,
      account: ACCOUNT,
      exchange: REST_URL,
      now,
      suffix,
    }));
    rmSync(folder.path, { recursive: true, force: true });
    mkdirSync(folder.path, { mode: 0o700 });
    writeSession(folder.path, folder.record);
    this.#copy = openJournal(folder.path, { durability: 'normal' });
    for (const row of rows()) this.#copy.append(row.ts, [row.entry]);
  }

  async #run(own: ProcessClock, flattens: boolean): Promise<void> {
    const exchange = this.#exchange(own);
    void exchange.clockOffset.measure();
    const problems = new Problems();
    const isQuiet = (): boolean => {
      const process = this.#options.process();
      return process === null || (process.engine?.executor.killed === true && this.#call === null);
    };
    const { openAfter } = await cancelEverything(exchange, own, problems, { lagMs: LAG_MS, isQuiet });
    if (own.dead) return;
    const isProved = openAfter === 0 && isQuiet();
    const { end }: Pick<Flattening, 'end'> = flattens ? await this.#flatten(exchange, own, problems) : { end: 'done' };
    if (own.dead || !isProved || end !== 'done') return;
    this.#judge(flattens);
  }

  async #flatten(exchange: Exchange, own: ProcessClock, problems: Problems): Promise<Pick<Flattening, 'end'>> {
    const lists = [await exchange.marketData.spotInstruments(), await exchange.marketData.derivativeInstruments()];
    if (own.dead) return { end: 'unproved' };
    const instruments = new Instruments(lists.flatMap((list) => (list.kind === 'failed' ? [] : list.value)));
    const { end } = await flattenEverything(
      {
        exchange,
        instruments,
        root: this.#root,
        owner: { account: ACCOUNT, exchange: REST_URL },
        unique: `x${++this.#calls}`,
        clock: own,
        clientOrderIds: this.#options.clientOrderIds,
      },
      problems,
    );
    return lists.some(({ kind }) => kind === 'failed') ? { end: 'unproved' } : { end };
  }

  #judge(flattens: boolean): void {
    const { laws, venue, rare, isClassA } = this.#options;
    if (flattens) rare.mark('panic that closed everything');
    const open = [...venue.truth.active.keys()].filter((orderId) => !venue.isOthers(orderId));
    if (open.length > 0) laws.violated('K4', `a panic ends with no order open, and ${open.join()} rest`);
    if (!flattens || this.#holdsEarlier || !isClassA()) return;
    // Strategies that hold against each other are closed as one.
    const held = [...laws.spotHeld.values()].reduce((sum, each) => sum.plus(each), ZERO);
    if (held.abs().gte(LEAST)) laws.violated('K4', `a panic closed everything, and ${held.toFixed()} is held`);
  }

  #exchange(own: ProcessClock): Exchange {
    const { venue, clientOrderIds } = this.#options;
    const { user } = venue;
    // Laws of the process read the trace.
    const world = { ...this.#options.world(), trace: new Trace() };
    const http = httpNetwork(world, { clock: own, onSend: (request) => this.#onSend(request) });
    const options = { baseUrl: REST_URL, gatewayUrl: REST_URL, wsUrl: WS_URL, clientOrderIds };
    return createExchange({
      options: exchangeOptions.parse(options),
      credentials: createCredentials(user.apiKey.publicKey, user.apiKey.secretKey),
      clock: own,
      random: seededRandom(1),
      logger: silentLogger,
      httpTransports: { orders: http, reconcile: http, public: http },
    });
  }

  /** What leaves is of the strategy whose position it closes. Answers its intent. */
  #onSend({ method, url, body }: PreparedRequest): string | null {
    if (method !== 'POST' || !CREATE_PATH.test(url)) return null;
    const id = intentIdOf(/"clientOrderId":"([^"]+)"/.exec(body)?.[1]);
    const owner = { account: ACCOUNT, exchange: REST_URL };
    const order = panicOrders(this.#root, owner).find((one) => one.id === id);
    const { laws, clock, rare } = this.#options;
    if (order === undefined) {
      laws.violated('J1', `a panic sends ${id}, which is not in its list`);
      return null;
    }
    const isOfThisSession = order.session === this.#session?.record.id;
    if (isOfThisSession) this.#hasSent = true;
    rare.mark('order of a panic');
    laws.panicSends(order.id, order.strategy, clock.now(), isOfThisSession);
    return order.id;
  }
}
