/**
 * The machine under test: it starts the process, starts it again some time after it ended, and keeps what outlives it:
 * the disk and the wall clock. Faults of process, clock, disk, human and strategy strike here.
 */
import type { JournalEntry } from '../../../src/model/journal.ts';
import type { PreparedRequest } from '../../../src/model/ports.ts';
import { seededRandom } from '../../../src/model/random.ts';
import type { VirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { Disk } from './disk.ts';
import type { FaultPlan } from './fault-plan.ts';
import { httpNetwork } from './http-network.ts';
import type { Laws } from './laws.ts';
import { ProcessClock } from './process-clock.ts';
import { Process } from './process.ts';
import { quoter, restless } from './restless.ts';
import { SocketNetwork } from './socket-network.ts';
import type { Trace } from './trace.ts';
import type { VenueSide } from './venue-side.ts';

const RESTART_MS_MAX = 20_000;
const PAUSE_MS_MAX = 60_000;
const OUTAGE_MS_MAX = 120_000;
const DISK_FULL_MS_MAX = 60_000;
const CREATE_PATH = /\/api\/v2\/exchange\/client\/order\/(spot|derivative)$/;

export interface MachineOptions {
  readonly clock: VirtualClock;
  readonly venue: VenueSide;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly laws: Laws;
  readonly seed: number;
  readonly clientOrderIds: boolean;
}

export class Machine {
  readonly disk = new Disk();
  boots = 0;
  readonly #options: MachineOptions;
  /** Of the machine's wall clock from the true time; a process takes it over when it starts. */
  #skewUs = 0;
  #process: Process | null = null;
  #processClock: ProcessClock | null = null;
  #sockets: SocketNetwork | null = null;
  #outUntilUs = 0;
  #fullUntilUs = 0;
  #isResting = false;

  constructor(options: MachineOptions) {
    this.#options = options;
    const { plan } = options;
    this.#skewUs = Math.round(plan.between(-3e6, 3e6));
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

  /** Faults that strike once a second of true time. */
  everySecond(): void {
    const { plan, clock, trace, venue } = this.#options;
    const nowUs = clock.nowUs();
    if (plan.strikes('outage')) this.#outUntilUs = nowUs + Math.round(plan.between(1000, OUTAGE_MS_MAX) * 1000);
    if (plan.strikes('disk-full')) this.#fullUntilUs = nowUs + Math.round(plan.between(1000, DISK_FULL_MS_MAX) * 1000);
    if (plan.strikes('clock-step')) this.#skewUs = Math.round(plan.between(-5e6, 5e6));
    if (plan.strikes('pause')) {
      trace.add(nowUs, 'pause');
      this.#processClock?.pauseUntil(nowUs + Math.round(plan.between(1000, PAUSE_MS_MAX) * 1000));
    }
    if (plan.strikes('suspend')) {
      trace.add(nowUs, 'suspend');
      this.#processClock?.suspendUntil(nowUs + Math.round(plan.between(1000, PAUSE_MS_MAX) * 1000));
    }
    if (plan.strikes('kill')) this.#die('kill');
    if (plan.strikes('kill-switch')) this.#process?.kill('the simulated human');
    if (plan.strikes('human-order')) venue.humanOrder(false);
    if (plan.strikes('human-trade')) {
      if (plan.between(0, 1) < 0.3) venue.humanCancelsOurs();
      else venue.humanOrder(true);
    }
    this.#sockets?.everySecond();
  }

  /** The human is done, and the machine is left alone. */
  calm(): void {
    this.#outUntilUs = 0;
    this.#fullUntilUs = 0;
    this.#options.venue.humanCancelsOwn();
  }

  stop(): void {
    this.#isResting = true;
    this.#process?.bury();
  }

  #boot(): void {
    if (this.#isResting) return;
    const { clock, venue, plan, trace, laws, seed, clientOrderIds } = this.#options;
    this.boots++;
    const processClock = new ProcessClock(clock, this.#skewUs);
    const world = {
      clock,
      sandbox: venue.sandbox,
      plan,
      trace,
      isOut: () => clock.nowUs() < this.#outUntilUs,
      arriving: (mark: string | null) => laws.arriving(mark),
    };
    const sockets = new SocketNetwork(world, processClock);
    this.#processClock = processClock;
    this.#sockets = sockets;
    const journal = this.disk.open({
      isDead: () => processClock.dead,
      isFull: () => clock.nowUs() < this.#fullUntilUs,
      boundary: (at) => {
        if (!processClock.dead && plan.strikes('kill-at-journal')) this.#die(`kill-at-journal ${at}`);
      },
      onAppend: (entries: readonly JournalEntry[]) => {
        trace.add(clock.nowUs(), `journal ${JSON.stringify(entries)}`);
        laws.onAppend(entries, clock.now());
      },
    });
    trace.add(clock.nowUs(), `boot ${this.boots}`);
    this.#process = new Process({
      clock: processClock,
      http: httpNetwork(world, { clock: processClock, onSend: (request) => this.#onSend(request) }),
      sockets,
      journal,
      random: seededRandom(seed).fork(`boot ${this.boots}`),
      user: venue.user,
      clientOrderIds,
      strategies: [quoter(plan), restless()],
      bootId: `b${seed}_${this.boots}`,
      onExit: (reason) => {
        if (processClock === this.#processClock) this.#die(`exit: ${reason}`);
      },
    });
  }

  /** The intent of a create that leaves. */
  #onSend(request: PreparedRequest): string | null {
    const { plan, laws, clock } = this.#options;
    if (plan.strikes('kill-at-send')) this.#die('kill-at-send');
    if (this.#processClock?.dead === true || request.method !== 'POST') return null;
    if (!CREATE_PATH.test(request.url) || this.#process === null) return null;
    return laws.onCreate(this.disk.rows, this.#process, clock.now());
  }

  #die(reason: string): void {
    const { clock, trace, plan } = this.#options;
    if (this.#processClock === null || this.#processClock.dead) return;
    trace.add(clock.nowUs(), `died: ${reason}`);
    const dead = this.#process;
    this.#processClock.dead = true;
    this.#process = null;
    const wakeUs = clock.nowUs() + Math.round(plan.between(500, RESTART_MS_MAX) * 1000);
    // In a later instant: whatever runs now finds itself dead first.
    clock.schedule(clock.nowUs() + 1, 'venue', () => dead?.bury());
    clock.schedule(wakeUs, 'venue', () => this.#boot());
  }
}
