/**
 * The live stack for weeks of virtual time: the process of the fault simulator, with a real journal on disk, in a market
 * that moves slowly and a network that fails for a minute every six hours. Nothing else goes wrong: what grows here grows
 * in any long session. Counts the requests by path.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../src/journal/sqlite-store.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { StrategyDefinition } from '../../src/strategy/definition.ts';
import { Process } from '../simulation/world/process.ts';
import { SimulatedTime } from '../simulation/world/simulated-time.ts';

import { CalmNetwork } from './calm-network.ts';
import { CensusClock } from './census-clock.ts';
import { Market } from './market.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MARKET_MOVES_MS = 15_000;
const HOUR_US = 3_600_000_000;
const OUTAGE_EVERY_HOURS = 6;
const OUTAGE_US = 60_000_000;

export interface LongWorldOptions {
  readonly seed: number;
  readonly strategies: readonly StrategyDefinition[];
  /** Whether the network fails now and then. */
  readonly outages: boolean;
}

export class LongWorld {
  /** Requests since the start that were answered or given up, by `METHOD path`. */
  readonly requests = new Map<string, number>();
  exit: string | null = null;
  readonly #time = new SimulatedTime(START_MS);
  readonly #folder = mkdtempSync(join(tmpdir(), 'tidewire-long-'));
  readonly #journal: JournalStore;
  readonly #venue: Market;
  readonly #process: Process;
  readonly #clock: CensusClock;
  readonly #network: CalmNetwork;
  #hours = 0;

  constructor({ seed, strategies, outages }: LongWorldOptions) {
    const { clock } = this.#time;
    const random = seededRandom(seed).fork('long');
    this.#venue = new Market(clock, seed);
    this.#clock = new CensusClock(clock);
    this.#network = new CalmNetwork({
      clock: this.#clock,
      sandbox: this.#venue.sandbox,
      isOut: () => outages && isOutage(clock.nowUs() - START_MS * 1000),
      onAnswer: ({ method, url }) => this.#count(`${method} ${new URL(url).pathname.replace(/\d{6,}/, '{orderId}')}`),
    });
    this.#journal = openJournal(this.#folder, { durability: 'normal' });
    this.#process = new Process({
      clock: this.#clock,
      http: this.#network,
      sockets: this.#network,
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
    clock.every(MARKET_MOVES_MS, () => this.#venue.move());
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
    return this.#network.openSockets;
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

  #count(name: string): void {
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
  }
}

/** In the second half of each sixth hour, so that whole hours are at rest. */
function isOutage(sinceUs: number): boolean {
  const intoUs = (sinceUs - HOUR_US / 2) % (OUTAGE_EVERY_HOURS * HOUR_US);
  return sinceUs > HOUR_US && intoUs >= 0 && intoUs < OUTAGE_US;
}
