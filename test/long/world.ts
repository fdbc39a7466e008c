/**
 * The live stack for weeks of virtual time: the process of the fault simulator, with a real journal on disk, in a market
 * that moves slowly and a network that fails for a minute every six hours. Nothing else goes wrong: what grows here grows
 * in any long session. Counts the requests by path.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../src/execution/journal/sqlite-store.ts';
import type { JournalStore } from '../../src/model/journal.ts';
import type { HttpTransport } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { StrategyDefinition } from '../../src/strategy/definition.ts';
import { faultKinds, FaultPlan } from '../simulation/world/fault-plan.ts';
import { httpNetwork } from '../simulation/world/http-network.ts';
import { ProcessClock } from '../simulation/world/process-clock.ts';
import { Process } from '../simulation/world/process.ts';
import { SimulatedTime } from '../simulation/world/simulated-time.ts';
import { SocketNetwork } from '../simulation/world/socket-network.ts';
import { Trace } from '../simulation/world/trace.ts';
import { VenueSide } from '../simulation/world/venue-side.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MARKET_MOVES_MS = 5000;
const HOUR_US = 3_600_000_000;
const OUTAGE_EVERY_HOURS = 6;
const OUTAGE_US = 60_000_000;

/** Weeks of frames are nobody's evidence here. */
class Silent extends Trace {
  override add(): void {}
}

export interface LongWorldOptions {
  readonly seed: number;
  readonly strategies: readonly StrategyDefinition[];
  /** Whether the network fails now and then. */
  readonly outages: boolean;
}

export class LongWorld {
  /** Requests since the start, by `METHOD path`. */
  readonly requests = new Map<string, number>();
  exit: string | null = null;
  readonly #time = new SimulatedTime(START_MS);
  readonly #folder = mkdtempSync(join(tmpdir(), 'tidewire-long-'));
  readonly #journal: JournalStore;
  readonly #venue: VenueSide;
  readonly #process: Process;
  readonly #clock: ProcessClock;
  readonly #sockets: SocketNetwork;
  #hours = 0;

  constructor({ seed, strategies, outages }: LongWorldOptions) {
    const { clock } = this.#time;
    const random = seededRandom(seed).fork('long');
    const plan = new FaultPlan(random, new Set(faultKinds));
    this.#venue = new VenueSide(clock, seed, true);
    this.#clock = new ProcessClock(clock, 0);
    const world = {
      clock,
      sandbox: this.#venue.sandbox,
      plan,
      trace: new Silent(),
      isOut: () => outages && isOutage(clock.nowUs() - START_MS * 1000),
      arriving: () => {},
    };
    this.#sockets = new SocketNetwork(world, this.#clock);
    this.#journal = openJournal(this.#folder, { durability: 'normal' });
    const http = httpNetwork(world, { clock: this.#clock, onSend: () => null });
    this.#process = new Process({
      clock: this.#clock,
      http: this.#counted(http),
      sockets: this.#sockets,
      journal: this.#journal,
      random,
      user: this.#venue.user,
      clientOrderIds: true,
      strategies,
      bootId: `long${seed}`,
      onExit: (reason) => {
        this.exit ??= reason;
      },
    });
    clock.every(MARKET_MOVES_MS, () => this.#venue.makeMarket());
  }

  async runHours(hours: number): Promise<void> {
    this.#hours += hours;
    await this.#time.runTo(START_MS * 1000 + Math.round(this.#hours * HOUR_US), () => {});
  }

  /** Timers that wait: of the process's own clock, and of its session. */
  get timers(): number {
    return this.#clock.timers + this.#process.timers;
  }

  get sockets(): number {
    return this.#sockets.openConnections;
  }

  get journalRows(): number {
    return this.#journal.lastSeq;
  }

  get orders(): number {
    return this.#process.engine?.executor.counters().submitted ?? 0;
  }

  /** Why no new risk may be taken now; null when all is well. */
  get closedBecause(): string | null {
    return this.exit ?? this.#process.closedBecause();
  }

  close(): void {
    this.#process.bury();
    this.#venue.sandbox.stop();
    this.#journal.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #counted(http: HttpTransport): HttpTransport {
    return {
      request: (request, deadlineMs, done) => {
        const name = `${request.method} ${new URL(request.url).pathname}`;
        this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
        http.request(request, deadlineMs, done);
      },
      close: () => http.close(),
    };
  }
}

/** In the second half of each sixth hour, so that whole hours are at rest. */
function isOutage(sinceUs: number): boolean {
  const intoUs = (sinceUs - HOUR_US / 2) % (OUTAGE_EVERY_HOURS * HOUR_US);
  return sinceUs > HOUR_US && intoUs >= 0 && intoUs < OUTAGE_US;
}
