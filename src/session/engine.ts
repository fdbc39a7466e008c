/**
 * What all modes share: an executor on a venue, and strategies. A strategy that throws is stopped alone.
 *
 * `open` → `startStrategies` → `stopStrategies` (onStop, then each stop policy) → `close`
 */
import { hash } from 'node:crypto';
import type { Action } from '../model/trading/action.ts';
import { noSignals, type SignalSource } from '../model/inbound-signal.ts';
import type { Instruments } from '../model/market/instrument.ts';
import type { CreateIntentEntry, JournalStore } from '../model/entries/journal.ts';
import type { Knobs } from '../model/knobs.ts';
import type { Cancel, Clock, Gate, Logger, Random } from '../model/ports.ts';
import type { OrderUpdate } from '../model/trading/order.ts';
import type { Venue } from '../model/venue.ts';
import type { ExecutionOptions } from '../execution/options.ts';
import { Executor } from '../execution/executor.ts';
import type { ExecutorDeps, RestoreReport } from '../execution/executor-types.ts';
import type { Replay } from '../spine/replay.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import type { MarketData } from '../streams/market-data.ts';
import type { Plot } from '../strategy/context/context.ts';
import type { StopReason } from '../strategy/definition.ts';
import { strategyErrors } from '../strategy/errors.ts';
import type { StrategyError } from '../strategy/running/failure.ts';
import type { WarmupCandles } from '../strategy/context/history.ts';
import { startStrategy, type RunningStrategy } from '../strategy/running/run.ts';
import type { PreparedStrategy } from './strategies.ts';
import type { Witness } from './replay/witness.ts';
import type { StrategyWindows } from './decisions/strategy-windows.ts';

export interface EngineDeps {
  readonly clock: Clock;
  /** Unix ms; absent where nothing sleeps. */
  readonly wall?: () => number;
  readonly random: Random;
  readonly venue: Venue;
  readonly journal: JournalStore;
  readonly instruments: Instruments;
  readonly market: MarketData;
  readonly gates: readonly Gate[];
  readonly execution: ExecutionOptions;
  readonly reporting: string;
  readonly strategies: readonly PreparedStrategy[];
  readonly logger: Logger;
  readonly bootId: string;
  readonly facts: Readonly<Record<string, string | number | boolean>>;
  readonly knobs?: Knobs;
  /** No decisions are left to a human. */
  readonly asksNobody?: boolean;
  /** Keeps figures for `why`. */
  readonly explains?: boolean;
  /** Intents sent by another process for strategies of this session. */
  readonly sentElsewhere?: () => readonly CreateIntentEntry[] | null;
  readonly filledElsewhere?: ExecutorDeps['filledElsewhere'];
  /** Whether this version has no approval yet. */
  readonly onTrial?: (tag: string, version: string) => boolean;
  /** Inbound signals; default: none. */
  readonly signals?: SignalSource;
  readonly staleBecause?: (symbol: string) => string | null;
  readonly witness?: Pick<Witness, 'windows' | 'carryOut'>;
  readonly onActions?: (tag: string, actions: readonly Action[]) => void;
  readonly onPlot?: (tag: string) => Plot;
  readonly onFailure?: (tag: string, error: StrategyError) => void;
}

function slotOf({ tag, loaded, limits, params }: PreparedStrategy, onTrial: EngineDeps['onTrial']): StrategySlot {
  const version = hash('sha256', `${loaded.hash} ${JSON.stringify(params)}`, 'hex').slice(0, 16);
  return {
    tag,
    name: loaded.definition.name,
    limits,
    version,
    onTrial: onTrial?.(tag, version) ?? false,
    protect: loaded.definition.protect,
  };
}

/** Per strategy and turn; in a live session each is a durable row. */
const ANSWERS_MAX = 500;

interface Answers {
  turn: number;
  count: number;
}

export class Engine {
  readonly executor: Executor;
  readonly #deps: EngineDeps;
  readonly #running = new Map<string, RunningStrategy>();
  readonly #started = new Set<string>();
  readonly #known = new Map<string, RunningStrategy>();
  readonly #failures = new Map<string, StrategyError>();
  readonly #stopping = new Set<string>();
  readonly #unlisten: Cancel;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    const { venue, journal, clock, instruments, market, gates, logger, bootId, reporting, facts } = deps;
    this.executor = new Executor({
      venue,
      journal,
      clock,
      instruments,
      market,
      gates,
      options: deps.execution,
      strategies: deps.strategies.map((strategy) => slotOf(strategy, deps.onTrial)),
      logger,
      bootId,
      reporting,
      facts,
      asksNobody: deps.asksNobody ?? false,
      explains: deps.explains ?? false,
      ...(deps.knobs === undefined ? {} : { knobs: deps.knobs }),
      ...(deps.wall === undefined ? {} : { wall: deps.wall }),
      ...(deps.staleBecause === undefined ? {} : { staleBecause: deps.staleBecause }),
      ...(deps.sentElsewhere === undefined ? {} : { sentElsewhere: deps.sentElsewhere }),
      ...(deps.filledElsewhere === undefined ? {} : { filledElsewhere: deps.filledElsewhere }),
    });
    this.#unlisten = this.executor.listen((event) => {
      if (event.kind === 'stopped') this.#stopping.delete(event.strategy);
    });
  }

  /** `begun`: of the journal, so far as it has been read. */
  open(begun?: Replay): RestoreReport {
    const report = this.executor.restore(begun);
    this.#deps.venue.start();
    return report;
  }

  /** `values`: of `state`, by key, which another journal kept. */
  startStrategies(
    warmup: (strategy: PreparedStrategy) => WarmupCandles,
    values: ReadonlyMap<string, string> = new Map(),
  ): void {
    for (const strategy of this.#deps.strategies) {
      for (const [key, value] of values)
        if (key.startsWith(`${strategy.tag}/`)) this.executor.stateStore(strategy.tag).set(key, value);
      this.executor.goOn(strategy.tag);
      this.#start(strategy, warmup(strategy));
    }
  }

  /** `keepsPrograms`: order programs continue at the next start, as after a kill -9. */
  stopStrategies(reason: StopReason, keepsPrograms = false): void {
    for (const strategy of this.#deps.strategies) {
      const { tag, onStop } = strategy;
      if (!this.#started.has(tag)) this.#cancelLeft(strategy);
      else if (this.#running.has(tag)) this.#stop(strategy, reason, { keepsPrograms });
      // Its programs have worked on since it stopped.
      else if (onStop === 'leave') this.executor.stop(tag, onStop, { keepsPrograms });
    }
  }

  /** Ends one strategy in order, while the session runs on; no effect on one that does not run. */
  stopStrategy(tag: string, reason: StopReason): void {
    const strategy = this.#deps.strategies.find((one) => one.tag === tag);
    if (strategy !== undefined && this.#running.has(tag)) this.#stop(strategy, reason);
  }

  get stopped(): boolean {
    return this.#stopping.size === 0;
  }

  /** Open orders that the stop policies end. */
  get ending(): readonly OrderUpdate[] {
    const ended = this.#deps.strategies.filter(({ tag, onStop }) => onStop !== 'leave' || !this.#started.has(tag));
    return ended.flatMap(({ tag }) => this.executor.account(tag).openOrders());
  }

  /** No unknown outcome, missing trade, or order that the stop policies end. */
  get settled(): boolean {
    const { executor } = this;
    const isKnown = executor.unresolvedCount() === 0 && executor.unbookedCount() === 0;
    return this.stopped && isKnown && this.ending.length === 0;
  }

  get allFailed(): boolean {
    return this.#failures.size === this.#deps.strategies.length;
  }

  get failures(): ReadonlyMap<string, StrategyError> {
    return this.#failures;
  }

  /** Call about once a second. */
  look(symbols: readonly string[]): void {
    this.executor.lookAtGates(symbols);
    this.executor.lookAtPrograms();
    this.executor.lookAtProtection();
    this.executor.valueAccount();
  }

  status(tag: string): RunningStrategy['status'] | 'waiting' {
    return this.#known.get(tag)?.status ?? 'waiting';
  }

  close(): void {
    this.#unlisten();
    this.executor.close();
  }

  #start(strategy: PreparedStrategy, warmup: WarmupCandles): void {
    const { clock, random, market, logger } = this.#deps;
    const { tag, loaded, params } = strategy;
    const windows = this.#windows(tag, warmup);
    for (const [symbol, candles] of warmup) market.remember(symbol, candles);
    this.#started.add(tag);
    const answers: Answers = { turn: -1, count: 0 };
    const running = startStrategy({
      definition: loaded.definition,
      files: loaded.files,
      modules: loaded.modules,
      inputs: loaded.inputs,
      tag,
      params,
      market,
      account: windows.account,
      treasury: windows.treasury,
      clock,
      random: random.fork(`strategy/${tag}`),
      state: windows.state,
      signals: windows.signals,
      answer: windows.answer,
      log: logger.child({ strategy: tag }),
      warmupCandles: windows.warmup,
      plot: this.#deps.onPlot?.(tag),
      act: (actions) => {
        this.#mustComeToRest(tag, actions, answers);
        this.#act(tag, actions);
      },
      fail: (error) => this.#fail(strategy, error),
    });
    this.#running.set(tag, running);
    this.#known.set(tag, running);
    if (this.#failures.has(tag)) this.#stop(strategy, 'error');
  }

  #windows(tag: string, warmup: StrategyWindows['warmup']): StrategyWindows {
    const { executor } = this;
    const own = {
      account: executor.account(tag),
      treasury: executor.treasury(tag),
      state: executor.stateStore(tag),
      warmup,
      signals: this.#deps.signals ?? noSignals,
      answer: <T>(_: string, live: () => T): T => live(),
    };
    return this.#deps.witness?.windows(tag, own) ?? own;
  }

  /** Orders of a strategy that did not start again; its `onStop` is not available. */
  #cancelLeft({ tag, onStop }: PreparedStrategy): void {
    if (onStop === 'leave' || this.executor.account(tag).openOrders().length === 0) return;
    this.#stopping.add(tag);
    this.executor.stop(tag, 'cancel');
  }

  /** Throws `strategy_livelock` for a strategy that answers each denial with an order. */
  #mustComeToRest(tag: string, actions: readonly Action[], answers: Answers): void {
    const { turns } = this.executor;
    answers.count = turns === answers.turn ? answers.count + 1 : 1;
    answers.turn = turns;
    if (answers.count <= ANSWERS_MAX) return;
    this.#deps.onActions?.(tag, actions);
    const what = `${tag} answered its own updates ${ANSWERS_MAX} times within one instant`;
    throw strategyErrors.make('strategy_livelock', what, { tag });
  }

  #act(tag: string, actions: readonly Action[]): void {
    const { witness } = this.#deps;
    if (witness === undefined) this.executor.submit(tag, actions);
    else this.#actBefore(witness, tag, actions);
    // Afterwards, so that no order waits for it.
    this.#deps.onActions?.(tag, actions);
  }

  #actBefore(witness: Pick<Witness, 'carryOut'>, tag: string, actions: readonly Action[]): void {
    witness.carryOut(() => this.executor.submit(tag, actions));
  }

  #fail(strategy: PreparedStrategy, error: StrategyError): void {
    this.#failures.set(strategy.tag, error);
    this.#deps.logger.error({ strategy: strategy.tag, code: error.code }, error.message);
    this.#deps.onFailure?.(strategy.tag, error);
    if (this.#running.has(strategy.tag)) this.#stop(strategy, 'error');
  }

  #stop(strategy: PreparedStrategy, reason: StopReason, ends?: { readonly keepsPrograms: boolean }): void {
    const { tag, onStop } = strategy;
    const running = this.#running.get(tag);
    if (running === undefined) return;
    this.#running.delete(tag);
    this.#stopping.add(tag);
    const last = running.stop(reason);
    if (last.length > 0) this.#act(tag, last);
    this.executor.stop(tag, onStop, ends);
  }
}
