/**
 * One process of a scenario: executor, reconciler and strategy. It can die at any moment; what it armed then never fires.
 */
import type { Action } from '../model/trading/action.ts';
import type { Instruments } from '../model/market/instrument.ts';
import type { JournalStore } from '../model/entries/journal.ts';
import { silentLogger, type Cancel, type Clock, type Logger, type Random } from '../model/ports.ts';
import type { Candle } from '../model/market/views.ts';
import { createReconciler } from '../reconciler/reconciler.ts';
import type { Reconciler } from '../reconciler/reconciler.ts';
import type { Config } from '../session/config/schema.ts';
import { Engine } from '../session/engine.ts';
import { receiptsOf, SignalInbox } from '../session/signals/inbox.ts';
import type { PreparedStrategy } from '../session/strategies.ts';
import { createVirtualTime, type VirtualTime } from '../strategy/running/virtual-time.ts';
import { MarketData } from '../streams/market-data.ts';
import type { VenueLine } from './venue-line.ts';

/** The clock of a process: it stops once the process is dead. */
class MortalClock implements Clock {
  readonly #clock: Clock;
  isDead = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  nowUs(): number {
    return this.#clock.nowUs();
  }

  after(delayMs: number, run: () => void): Cancel {
    return this.#clock.after(delayMs, this.#alive(run));
  }

  every(intervalMs: number, run: () => void): Cancel {
    const cancel = this.#clock.every(intervalMs, () => {
      if (this.isDead) cancel();
      else run();
    });
    return cancel;
  }

  #alive(run: () => void): () => void {
    return () => {
      if (!this.isDead) run();
    };
  }
}

export interface ProcessDeps {
  readonly clock: Clock;
  readonly line: VenueLine;
  readonly journal: JournalStore;
  readonly instruments: Instruments;
  readonly random: Random;
  readonly config: Config;
  readonly reporting: string;
  readonly strategy: PreparedStrategy;
  readonly logger?: Logger;
  /** 1 for the first. */
  readonly number: number;
  readonly onActions: (actions: readonly Action[]) => void;
  readonly onEvent: Parameters<Engine['executor']['listen']>[0];
}

const LOOK_MS = 1_000;

export class Process {
  readonly engine: Engine;
  readonly market: MarketData;
  readonly inbox: SignalInbox;
  readonly time: VirtualTime;
  readonly #clock: MortalClock;
  readonly #stop: () => Promise<void>;
  readonly #reconciler: Reconciler;

  constructor(deps: ProcessDeps) {
    const clock = new MortalClock(deps.clock);
    const { instruments, config, journal, strategy, random, reporting, logger = silentLogger } = deps;
    this.#clock = clock;
    this.time = createVirtualTime(clock, {
      unhandled: (thrown) => logger.error({ reason: String(thrown) }, 'unhandled'),
    });
    this.market = new MarketData({ instruments, clock, log: logger, sequenceRule: () => 'none' });
    const venue = deps.line.connected();
    this.#stop = () => venue.stop();
    this.engine = new Engine({
      clock,
      random,
      venue,
      journal,
      instruments,
      market: this.market,
      gates: [],
      execution: { risk: config.risk, reconcile: config.reconcile },
      reporting,
      strategies: [strategy],
      logger,
      bootId: `scenario${deps.number}`,
      facts: { mode: 'scenario' },
      asksNobody: true,
      signals: { listen: (listener) => this.inbox.listen(listener) },
      onActions: (_tag, actions) => deps.onActions(actions),
    });
    const { executor } = this.engine;
    this.inbox = new SignalInbox(receiptsOf(executor, strategy.tag));
    executor.listen(deps.onEvent);
    this.#reconciler = createReconciler(executor);
    clock.every(LOOK_MS, () => this.engine.look(instruments.symbols()));
  }

  /** Restores from the journal. */
  open(): void {
    this.engine.open();
    this.#reconciler.start();
  }

  /** Whether the account was compared since the newest start of the stream. */
  isCompared(symbol: string): boolean {
    return this.#reconciler.gate.closedBecause(symbol) === null;
  }

  start(warmup: ReadonlyMap<string, readonly Candle[]>): void {
    this.engine.startStrategies(() => warmup);
  }

  /** Nothing is said goodbye to. */
  die(): void {
    this.#clock.isDead = true;
    void this.#stop();
    this.#reconciler.stop();
    this.time.clear();
    this.market.close();
  }
}
