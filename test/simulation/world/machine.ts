/**
 * The machine under test: it starts the process, starts it again some time after it ended, and keeps what outlives it:
 * the disk, the wall clock, the way to the exchange. `hazards.ts` says when something happens to it.
 */
import { messageOf } from '../../../src/model/errors.ts';
import { replayRows } from '../../../src/spine/replay.ts';
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import type { PreparedRequest } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import { replayDiffers } from './agreement.ts';
import { ChangedInstruments } from './changed-instruments.ts';
import { leftBehind } from './clean-end.ts';
import { Disk } from './disk.ts';
import { FalseStatus } from './false-status.ts';
import type { FaultPlan } from './fault-plan.ts';
import { ForgottenIds } from './forgotten-ids.ts';
import { httpNetwork, type HttpWorld } from './http-network.ts';
import { takingWays } from './journal-files.ts';
import { tagsOf, type Laws } from './laws.ts';
import { Limiter } from './limiter.ts';
import { OldPositions } from './old-positions.ts';
import { OwnTradeWords } from './own-trade-words.ts';
import { ProcessClock } from './process-clock.ts';
import { OlderJournal } from './older-journal.ts';
import { JOURNAL_FAILED, Process } from './process.ts';
import type { RareStates } from './rare-states.ts';
import { perpetualQuoter, perpetualRestless } from './futures/strategies.ts';
import { PERPETUAL } from './futures/terms.ts';
import { faultClassOf } from './fault-class.ts';
import { MoneyCommands } from './money-commands.ts';
import { MoneyHand } from './money-hand.ts';
import { Panic } from './panic.ts';
import { quoter, restless, SYMBOL, type WhimShares } from './restless.ts';
import { SecondStack } from './second-stack.ts';
import { turnedKnobs } from './turned-knobs.ts';
import { SocketNetwork } from './socket-network.ts';
import { CREATE_PATH, MONEY_PATH, type Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';
import { WrongClock } from './wrong-clock.ts';

const RESTART_MS_MAX = 20_000;
const FSYNC_MS_MAX = 5000;
const DRIFT_PPM_MAX = 500;
/** Of clean ends: of the others something else is left to go on with. */
const ANEW_SHARE = 0.5;
/** Of the worlds whose sessions are told to end: their strategies close what they hold. */
const FLATTEN_SHARE = 0.4;
/** Of the seconds of a halt. */
const RESUME_SHARE = 0.04;
const SUSPEND_AT_SEND_MS_MAX = 40_000;
const CANCEL_MANY = '/order/cancel-many';
/** What an opening is taken over from. */
const BALANCES = '/report-account/accounts/overview';
const POSITIONS = '/client/positions/list';
const ORDER_ID = /\d{12,}/g;

export interface MachineOptions {
  readonly clock: VirtualClock;
  readonly venue: VenueSide;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly laws: Laws;
  readonly rare: RareStates;
  readonly seed: number;
  readonly clientOrderIds: boolean;
  readonly whims: WhimShares;
  /** Share of the seconds in which a human moves money; 0: none does. */
  readonly money: number;
}

export class Machine {
  readonly disk = new Disk();
  boots = 0;
  #sessions = 1;
  /** True times, µs: nothing gets through; the exchange is closed; the disk is full. */
  outUntilUs = 0;
  closedUntilUs = 0;
  fullUntilUs = 0;
  readonly #options: MachineOptions;
  /** Of the machine's wall clock from the true time; a process takes it over when it starts. */
  #skewUs = 0;
  #process: Process | null = null;
  #processClock: ProcessClock | null = null;
  #sockets: SocketNetwork | null = null;
  /** What the exchange tells of our client order ids. */
  readonly ids: ForgottenIds;
  /** What it says of own trades. */
  readonly ownTrades: OwnTradeWords;
  /** What it pushes of orders that rest. */
  readonly falseStatus: FalseStatus;
  /** By which the exchange stamps and judges signatures. */
  readonly venueClock: WrongClock;
  readonly positions: OldPositions;
  readonly instruments: ChangedInstruments;
  readonly #limiter: Limiter;
  readonly #older: OlderJournal;
  /** Another process on the account, which should not be there. */
  readonly second: SecondStack;
  readonly panic: Panic;
  /** What a human moves by the command line, and what else of money that is no order. */
  readonly commands: MoneyCommands;
  readonly #hand: MoneyHand | null;
  readonly #driftPpm: number;
  /** It has been told to end. */
  #ending: Process | null = null;
  #isResting = false;
  #world: HttpWorld | null = null;
  #hasFailed = false;

  constructor(options: MachineOptions) {
    this.#options = options;
    const { plan, rare } = options;
    this.#skewUs = Math.round(plan.between(-3e6, 3e6));
    this.#driftPpm = plan.strength('clock-drift') * plan.between(-DRIFT_PPM_MAX, DRIFT_PPM_MAX);
    this.#limiter = new Limiter(plan, rare);
    this.ids = new ForgottenIds(plan);
    const { clock, trace, venue } = options;
    this.ownTrades = new OwnTradeWords(plan, venue);
    this.falseStatus = new FalseStatus(plan, venue);
    this.venueClock = new WrongClock({
      clock,
      plan,
      rare,
      trace,
      secretKey: venue.user.apiKey.secretKey,
      paysFunding: venue.futures !== null,
    });
    this.positions = new OldPositions(plan, rare);
    this.#older = new OlderJournal({ ...options, disk: this.disk });
    this.instruments = new ChangedInstruments(options);
    this.second = new SecondStack({ ...options, instruments: this.instruments });
    this.panic = new Panic({
      ...options,
      world: () => this.#way,
      process: () => this.#process,
      handToProcess: (us, run) => this.#handToProcess(us, run),
      rows: () => this.disk.rows,
      tags: () => tagsOf(venue),
      skewUs: () => this.#skewUs,
      isClassA: () =>
        faultClassOf(plan.counts, options.laws.futures?.wasShared === true, {
          transfers: options.whims.transfers > 0,
          money: options.money > 0,
        }) === 'A',
    });
    this.commands = new MoneyCommands({
      ...options,
      world: () => this.#way,
      skewUs: () => this.#skewUs,
      isFull: () => clock.nowUs() < this.fullUntilUs,
    });
    this.#hand =
      options.money === 0
        ? null
        : new MoneyHand({
            clock,
            venue,
            plan,
            random: seededRandom(options.seed).fork('money by hand'),
            share: options.money,
            commands: this.commands,
            process: () => (this.#processClock?.isPaused === true ? null : this.#process),
          });
    this.#boot();
  }

  get process(): Process | null {
    return this.#process;
  }

  get openSockets(): number {
    return this.#sockets?.openConnections ?? 0;
  }

  get timers(): number {
    return this.#processClock?.timers ?? 0;
  }

  get sockets(): SocketNetwork | null {
    return this.#sockets;
  }

  get processClock(): ProcessClock | null {
    return this.#processClock;
  }

  /** The wall clock of the machine is set; a process takes it over when it starts. */
  stepClock(skewUs: number): void {
    this.#skewUs = skewUs;
  }

  get waitsForWord(): boolean {
    return this.#older.waitsForWord;
  }

  /** Once a second: the human who put a backup back gives the word that it may trade again, on the stopped session. */
  humanAcknowledges(): void {
    if (!this.#older.wantsWord(this.#process)) return;
    this.die('stopped by the human, who acknowledges the restore');
    this.#older.acknowledge();
  }

  /** Once a second: a human has looked at a symbol that was halted, and lets it trade again. */
  humanResumes(): void {
    const { laws, plan, rare } = this.#options;
    if (this.#process === null || laws.halted.size === 0 || plan.between(0, 1) > RESUME_SHARE) return;
    for (const symbol of laws.halted) {
      rare.mark('halted symbol resumed');
      this.#process.resume(symbol, 'the simulated human looked');
    }
  }

  /** Once a second: instruments change, and the human starts a session again that counts in another grid than the exchange. */
  everySecond(): void {
    const process = this.#process;
    this.#hand?.everySecond();
    this.instruments.everySecond(process === null);
    if (this.instruments.wantsRestart(process?.hasOtherSteps === true))
      this.die('started again by the human, since an instrument has changed');
  }

  /** `tidewire money decide` for what is in doubt, on the stopped session, by the truth. */
  decideMoney(hasHappened: (intentId: string) => boolean): void {
    const { clock, trace } = this.#options;
    for (const { intentId } of replayRows(this.disk.rows).state.money.inDoubt()) {
      const verdict = hasHappened(intentId) ? 'happened' : 'absent';
      const receipt = { id: null, status: null };
      const entry = {
        kind: 'money-resolved',
        intentId,
        verdict,
        receipt,
        by: 'human',
        evidence: 'the history',
      } as const;
      this.disk.write(entry);
      trace.add(clock.nowUs(), `journal ${JSON.stringify([entry])}`);
    }
  }

  /** The whole machine sleeps. */
  suspendFor(ms: number): void {
    const { clock, trace } = this.#options;
    trace.add(clock.nowUs(), 'suspend');
    this.#processClock?.suspendUntil(clock.nowUs() + Math.round(ms * 1000));
  }

  /** The files of the journal are taken from under the process. */
  takeJournal(): void {
    const { clock, trace, rare, plan } = this.#options;
    if (this.#process === null || this.disk.files.areGone) return;
    const way = plan.pick(takingWays);
    rare.mark('files of the journal gone');
    trace.add(clock.nowUs(), `journal taken: ${way}`);
    this.disk.files.take(way);
  }

  stop(): void {
    this.#isResting = true;
    this.second.stop();
    this.panic.stop();
    this.commands.stop();
    this.#process?.bury();
  }

  get #way(): HttpWorld {
    if (this.#world === null) throw new Error('the machine has never been started');
    return this.#world;
  }

  #handToProcess(us: number, run: (process: Process) => void): void {
    const own = this.#processClock;
    own?.handAt(us, () => {
      if (own === this.#processClock && this.#process !== null) run(this.#process);
    });
  }

  #boot(): void {
    if (this.#isResting) return;
    const { clock, venue, plan, trace, laws, rare, seed, clientOrderIds, whims } = this.#options;
    this.disk.files.putBack();
    // A human who closes everything puts no other journal there meanwhile.
    if (!this.panic.isRunning) this.#older.beforeStart();
    laws.session = this.#session;
    this.boots++;
    const processClock = new ProcessClock(clock, this.#skewUs, this.#driftPpm);
    const world = {
      clock,
      sandbox: venue.sandbox,
      plan,
      trace,
      rare,
      limiter: this.#limiter,
      ids: this.ids,
      ownTrades: this.ownTrades,
      falseStatus: this.falseStatus,
      venueClock: this.venueClock,
      positions: this.positions,
      instruments: this.instruments,
      isOut: () => clock.nowUs() < this.outUntilUs,
      isClosed: () => clock.nowUs() < this.closedUntilUs,
      arriving: (mark: string | null) => laws.arriving(mark),
      raceCancel: () => venue.cancelOneOfOurs(),
      afterEnd: (run: () => void) => this.#afterEnd(run),
    };
    this.#world = world;
    const sockets = new SocketNetwork(world, processClock);
    this.#processClock = processClock;
    this.#sockets = sockets;
    const journal = this.disk.open({
      isDead: () => processClock.dead,
      isFull: () => clock.nowUs() < this.fullUntilUs,
      isBusy: () => plan.strikes('disk-busy'),
      boundary: (at) => {
        if (processClock.dead) return;
        if (plan.strikes('power-loss')) this.#losePower();
        else if (plan.strikes('kill-at-journal')) this.die(`kill-at-journal ${at}`);
        else if (plan.strikes('disk-slow'))
          processClock.pauseUntil(clock.nowUs() + Math.round(plan.between(100, FSYNC_MS_MAX) * 1000));
      },
      onAppend: (entries: readonly JournalEntry[], text: string) => {
        if (this.#hasFailed) rare.mark('journal failed and recovered');
        this.#hasFailed = false;
        trace.add(clock.nowUs(), `journal ${text}`);
        if (this.disk.files.areGone) laws.violated('J3', 'a row is written to files that are gone');
        laws.onAppend(entries, clock.now(), this.disk.rows.at(-1)?.ts ?? clock.now());
        this.#older.said(entries);
        this.panic.appended(this.disk.rows.slice(-entries.length));
      },
    });
    trace.add(clock.nowUs(), `boot ${this.boots}`);
    this.#takePanicOrders(processClock);
    const random = seededRandom(seed).fork(`boot ${this.boots}`);
    this.#process = new Process({
      clock: processClock,
      http: httpNetwork(world, { clock: processClock, onSend: (request) => this.#onSend(request) }),
      sockets,
      journal,
      random,
      wall: () => processClock.wall(),
      knobs: turnedKnobs(plan, random.fork('knobs')),
      user: venue.user,
      clientOrderIds,
      ...this.#traded(),
      bootId: `${this.#session}_${this.boots}`,
      watchesInstruments: () => this.instruments.isInUse,
      isReckless: venue.futures?.terms.isReckless === true,
      transfers: whims.transfers > 0,
      onStop: this.#onStop,
      sentElsewhere: (instruments, startedAt) => this.panic.sentElsewhere(instruments, startedAt),
      beforeStrategies: (process) => this.panic.heed(process),
      onExit: (reason) => {
        if (processClock !== this.#processClock) return;
        if (reason === JOURNAL_FAILED) {
          rare.mark('journal failed');
          this.#hasFailed = true;
        }
        this.die(`exit: ${reason}`);
      },
    });
  }

  /** As before each `run`, while nothing of the process runs. */
  #takePanicOrders(processClock: ProcessClock): void {
    const { clock, trace, laws } = this.#options;
    const journal = this.disk.open({
      isDead: () => false,
      isFull: () => false,
      isBusy: () => false,
      boundary: () => {},
      onAppend: (entries, text) => {
        trace.add(clock.nowUs(), `journal ${text}`);
        laws.onAppend(entries, clock.now(), this.disk.rows.at(-1)?.ts ?? clock.now());
        this.panic.appended(this.disk.rows.slice(-entries.length));
      },
    });
    this.panic.beforeStart(journal, processClock.now());
  }

  /** The same for every start, where sessions are told to end. */
  get #onStop(): 'cancel' | 'flatten' {
    const { plan, seed } = this.#options;
    const flattens = plan.rates.has('told-to-end') && seededRandom(seed).fork('stop policy').next() < FLATTEN_SHARE;
    return flattens ? 'flatten' : 'cancel';
  }

  /** As its starts are named. */
  get #session(): string {
    const { seed } = this.#options;
    return this.#sessions === 1 ? `b${seed}` : `b${seed}s${this.#sessions}`;
  }

  #traded() {
    const { plan, venue, whims } = this.#options;
    const spot = [quoter(plan), restless(plan, whims)];
    if (venue.futures === null) return { strategies: spot, symbols: [SYMBOL] };
    const { terms } = venue.futures;
    const perpetual = [perpetualQuoter(plan, terms), perpetualRestless(plan, terms, whims.programs)];
    if (terms.isAlone) return { strategies: perpetual, symbols: [PERPETUAL] };
    return { strategies: [...spot, ...perpetual], symbols: [SYMBOL, PERPETUAL] };
  }

  /** No connection is closed by anybody, and the machine's clock starts from what its battery kept. */
  #losePower(): void {
    const { plan, rare } = this.#options;
    rare.mark('power lost');
    this.#sockets?.loseAll();
    this.stepClock(Math.round(plan.between(-3e6, 3e6)));
    this.die('power-loss');
  }

  /** What a connection says after its end was told changes nothing (INV-D3). */
  #afterEnd(run: () => void): void {
    const { laws, rare } = this.#options;
    rare.mark('frame of an ended connection');
    const rows = this.disk.rows.length;
    const before = JSON.stringify(this.#process?.symbols.map((symbol) => this.#process?.top(symbol)));
    run();
    const after = JSON.stringify(this.#process?.symbols.map((symbol) => this.#process?.top(symbol)));
    if (this.disk.rows.length > rows) laws.violated('D3', 'a frame of an ended connection wrote a row');
    if (after !== before) laws.violated('D3', 'a frame of an ended connection moved the book');
  }

  /** Every check is behind it, and it stays in the machine until that wakes. Answers the intent of a create. */
  #onSend(request: PreparedRequest): string | null {
    const { plan, rare, laws, clock } = this.#options;
    if (request.url.endsWith(BALANCES)) laws.asksBalances(clock.now());
    if (request.url.endsWith(POSITIONS)) laws.asksPositions(clock.now());
    this.#cancelsOwn(request);
    const intent = this.#leaving(request);
    if (this.#processClock?.dead === false && plan.strikes('suspend-at-send')) {
      rare.mark('suspended as a request left');
      this.suspendFor(plan.between(1000, SUSPEND_AT_SEND_MS_MAX));
    }
    return intent;
  }

  /** Nobody else's order is cancelled, whatever mark it bears; one of rows that are gone may be (INV-S5). */
  #cancelsOwn({ method, url, body }: PreparedRequest): void {
    const { venue, laws } = this.#options;
    const isOne = method === 'DELETE' && url.includes('/client/order/');
    const text = isOne ? url : url.endsWith(CANCEL_MANY) ? body : '';
    for (const [orderId] of text.matchAll(ORDER_ID))
      if (venue.isStrangers(orderId) && !laws.isLost(orderId))
        laws.violated('S5', `${orderId} is cancelled, which the process did not place`);
  }

  #leaving(request: PreparedRequest): string | null {
    const { plan, laws, clock } = this.#options;
    if (plan.strikes('kill-at-send')) this.die('kill-at-send');
    if (this.#processClock?.dead === true || request.method !== 'POST') return null;
    // Not to be doubled on its way: nothing tells the exchange that it is the same.
    if (MONEY_PATH.test(request.url)) return 'money';
    if (!CREATE_PATH.test(request.url) || this.#process === null) return null;
    if (this.disk.files.areGone) laws.violated('J3', 'an order leaves while the files of the journal are gone');
    return laws.onCreate(this.disk.rows, this.#process, clock.now(), request.body);
  }

  /** A signal: the process ends by itself, and is started again some time later. */
  end(): void {
    const process = this.#process;
    if (process === null || process === this.#ending) return;
    this.#ending = process;
    const { clock, trace, laws } = this.#options;
    trace.add(clock.nowUs(), 'told to end');
    void process.end().then(
      (isClean) => this.#ended(process, isClean),
      (thrown: unknown) => laws.violated('crash', `an orderly end threw ${messageOf(thrown)}`),
    );
  }

  #ended(process: Process, isClean: boolean | null): void {
    if (process !== this.#process) return;
    const { venue, laws, rare, plan } = this.#options;
    const executor = process.engine?.executor;
    rare.mark(isClean === true ? 'clean end' : 'end that leaves something');
    if (isClean === true && executor !== undefined)
      for (const problem of leftBehind(venue, executor, this.disk.rows))
        laws.violated('X2', `a clean end, and ${problem}`);
    this.die(`ended${isClean === false ? ', not clean' : ''}`);
    // A session that was killed goes on with its next start, however it ended.
    if (isClean !== true || executor?.killed === true || plan.between(0, 1) > ANEW_SHARE) return;
    this.#sessions++;
    this.panic.beginsAnew();
    this.#older.beginsAnew();
  }

  /** The process ends now, wherever it is; some time later it is started again. */
  die(reason: string): void {
    const { clock, trace, plan, rare } = this.#options;
    if (this.#processClock === null || this.#processClock.dead) return;
    trace.add(clock.nowUs(), `died: ${reason}`);
    const dead = this.#process;
    if (reason === 'kill' && replayDiffers(dead, this.disk.rows))
      this.#options.laws.violated('J2', 'the replay of the journal is not the state that died');
    if (dead?.hasStarted === false) rare.mark('death before the first comparison');
    this.#processClock.dead = true;
    this.#process = null;
    const wakeUs = clock.nowUs() + Math.round(plan.between(500, RESTART_MS_MAX) * 1000);
    // In a later instant: whatever runs now finds itself dead first.
    clock.schedule(clock.nowUs() + 1, 'venue', () => dead?.bury());
    clock.schedule(wakeUs, 'venue', () => this.#boot());
  }
}
