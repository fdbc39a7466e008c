/**
 * The part that every mode shares: an executor on a venue, and strategies that act through it. The assemblies
 * (`backtest.ts`, `paper.ts`, `live.ts`) choose clock, venue, journal and market feed; nothing here knows which they are.
 *
 * Life: `open` (restore the journal, connect the venue) → `startStrategies` → `stopStrategies` (onStop, then the stop
 * policy of each) → `close`. A strategy that throws is stopped alone, with its policy.
 */
import { hash } from 'node:crypto';
import type { Action } from '../model/action.ts';
import type { Instruments } from '../model/instrument.ts';
import type { JournalStore } from '../model/journal.ts';
import type { Knobs } from '../model/knobs.ts';
import type { Cancel, Clock, Gate, Logger, Random } from '../model/ports.ts';
import type { Treasury } from '../model/treasury.ts';
import type { Venue } from '../model/venue.ts';
import type { Candle } from '../model/views.ts';
import type { ExecutionOptions } from '../execution/options.ts';
import { createExecutor } from '../execution/executor.ts';
import type { Executor, RestoreReport, StrategySlot } from '../execution/executor-types.ts';
import type { MarketData } from '../streams/market-data.ts';
import type { Plotted } from '../strategy/context.ts';
import type { StopReason } from '../strategy/definition.ts';
import { strategyErrors } from '../strategy/errors.ts';
import type { StrategyError } from '../strategy/failure.ts';
import { startStrategy, type RunningStrategy } from '../strategy/run.ts';
import type { PreparedStrategy } from './strategies.ts';
import type { Witness } from './replay/witness.ts';
import type { StrategyWindows } from './strategy-windows.ts';

export interface EngineDeps {
  readonly clock: Clock;
  /** The wall clock of the machine, Unix ms; absent where nothing sleeps. */
  readonly wall?: () => number;
  readonly random: Random;
  readonly venue: Venue;
  /** What moves money without an order; absent: every such action is denied. */
  readonly treasury?: Treasury;
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
  /** The venue is a simulation: nobody is asked to decide. */
  readonly asksNobody?: boolean;
  /** Keeps what the checks of limits compared, for `why`. */
  readonly explains?: boolean;
  /** Whether nobody has approved this version of a strategy; absent: none is on trial. */
  readonly onTrial?: (tag: string, version: string) => boolean;
  /** Keeps what strategies are told and when they decide, for `replay`. */
  readonly witness?: Pick<Witness, 'windows' | 'carryOut'>;
  /** Every decision as it is made: for the record of actions and its comparison. */
  readonly onActions?: (tag: string, actions: readonly Action[]) => void;
  /** What strategies plot, as they do. */
  readonly onPlot?: (tag: string, plotted: Plotted) => void;
  readonly onFailure?: (tag: string, error: StrategyError) => void;
}

function slotOf({ tag, loaded, limits, params }: PreparedStrategy, onTrial: EngineDeps['onTrial']): StrategySlot {
  const version = hash('sha256', `${loaded.hash} ${JSON.stringify(params)}`, 'hex').slice(0, 16);
  return { tag, name: loaded.definition.name, limits, version, onTrial: onTrial?.(tag, version) ?? false };
}

/** Of one strategy in one turn. In a live session each is a durable row: together they take seconds on a slow disk. */
const ANSWERS_MAX = 500;

/** How often one strategy has acted in the executor's turn of that number. */
interface Answers {
  turn: number;
  count: number;
}

export class Engine {
  readonly executor: Executor;
  readonly #deps: EngineDeps;
  /** Not stopped yet. */
  readonly #running = new Map<string, RunningStrategy>();
  readonly #started = new Set<string>();
  /** Ever started. */
  readonly #known = new Map<string, RunningStrategy>();
  readonly #failures = new Map<string, StrategyError>();
  readonly #stopping = new Set<string>();
  readonly #unlisten: Cancel;

  constructor(deps: EngineDeps) {
    this.#deps = deps;
    const { venue, treasury, journal, clock, instruments, market, gates, logger, bootId, reporting, facts } = deps;
    this.executor = createExecutor({
      venue,
      ...(treasury === undefined ? {} : { treasury }),
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
    });
    this.#unlisten = this.executor.listen((event) => {
      if (event.kind === 'stopped') this.#stopping.delete(event.strategy);
    });
  }

  /** Rebuilds the state from the journal, then lets the venue connect. */
  open(): RestoreReport {
    const report = this.executor.restore();
    this.#deps.venue.start();
    this.#deps.treasury?.start();
    return report;
  }

  startStrategies(warmup: (strategy: PreparedStrategy) => ReadonlyMap<string, readonly Candle[]>): void {
    for (const strategy of this.#deps.strategies) this.#start(strategy, warmup(strategy));
  }

  /** Last actions of `onStop`, then the stop policy. Harmless for strategies that have ended already. */
  stopStrategies(reason: StopReason): void {
    for (const strategy of this.#deps.strategies) {
      if (this.#started.has(strategy.tag)) this.#stop(strategy, reason);
      else this.#cancelLeft(strategy);
    }
  }

  /** True when no strategy has anything left to cancel or to flatten. */
  get stopped(): boolean {
    return this.#stopping.size === 0;
  }

  /**
   * True when all has ended as the stop policies want it: no order of unknown fate, none of which a trade is missing, and none open
   * that should not be.
   */
  get settled(): boolean {
    const isOver = ({ tag, onStop }: PreparedStrategy): boolean =>
      (onStop === 'leave' && this.#started.has(tag)) || this.executor.account(tag).openOrders().length === 0;
    const { executor } = this;
    const isKnown = executor.unresolvedCount() === 0 && executor.unbookedCount() === 0;
    return this.stopped && isKnown && this.#deps.strategies.every(isOver);
  }

  /** True when every strategy has failed. */
  get allFailed(): boolean {
    return this.#failures.size === this.#deps.strategies.length;
  }

  get failures(): ReadonlyMap<string, StrategyError> {
    return this.#failures;
  }

  /** To be called about once a second: what closed and opened, and what the account is worth, whether or not an order asks. */
  look(symbols: readonly string[]): void {
    this.executor.lookAtGates(symbols);
    this.executor.valueAccount();
  }

  status(tag: string): RunningStrategy['status'] | 'waiting' {
    return this.#known.get(tag)?.status ?? 'waiting';
  }

  close(): void {
    this.#unlisten();
    this.executor.close();
  }

  #start(strategy: PreparedStrategy, warmup: ReadonlyMap<string, readonly Candle[]>): void {
    const { clock, random, market, logger } = this.#deps;
    const { tag, loaded, params } = strategy;
    const windows = this.#windows(tag, warmup);
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
      log: logger.child({ strategy: tag }),
      warmupCandles: windows.warmup,
      plot: (plotted) => this.#deps.onPlot?.(tag, plotted),
      act: (actions) => {
        this.#mustComeToRest(tag, actions, answers);
        this.#act(tag, actions);
      },
      fail: (error) => this.#fail(strategy, error),
    });
    this.#running.set(tag, running);
    this.#known.set(tag, running);
    // It may have failed inside `startStrategy`, before it was known here.
    if (this.#failures.has(tag)) this.#stop(strategy, 'error');
  }

  #windows(tag: string, warmup: StrategyWindows['warmup']): StrategyWindows {
    const { executor } = this;
    const own = {
      account: executor.account(tag),
      treasury: executor.treasury(tag),
      state: executor.stateStore(tag),
      warmup,
    };
    return this.#deps.witness?.windows(tag, own) ?? own;
  }

  /** Orders from before a restart, of a strategy that did not begin again: its own last actions are not to be had. */
  #cancelLeft({ tag, onStop }: PreparedStrategy): void {
    if (onStop === 'leave' || this.executor.account(tag).openOrders().length === 0) return;
    this.#stopping.add(tag);
    this.executor.stop(tag, 'cancel');
  }

  /**
   * A strategy that answers each denial with another order would hold the process for ever: no cancel, no signal and no
   * other strategy would have its turn. Throws `strategy_livelock`, which stops it alone; the decision was made all the
   * same, and a replay makes it too.
   */
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
    else witness.carryOut(() => this.executor.submit(tag, actions));
    // Afterwards, so that no order waits for the record of its decision.
    this.#deps.onActions?.(tag, actions);
  }

  #fail(strategy: PreparedStrategy, error: StrategyError): void {
    this.#failures.set(strategy.tag, error);
    this.#deps.logger.error({ strategy: strategy.tag, code: error.code }, error.message);
    this.#deps.onFailure?.(strategy.tag, error);
    if (this.#running.has(strategy.tag)) this.#stop(strategy, 'error');
  }

  #stop(strategy: PreparedStrategy, reason: StopReason): void {
    const { tag, onStop } = strategy;
    const running = this.#running.get(tag);
    if (running === undefined) return;
    this.#running.delete(tag);
    this.#stopping.add(tag);
    const last = running.stop(reason);
    if (last.length > 0) this.#act(tag, last);
    this.executor.stop(tag, onStop);
  }
}
