/**
 * The backtest: strategies over recordings in virtual time, on the simulated venue. Reading this file shows the whole
 * wiring of the mode:
 *
 *   tape ── exchange time ──▶ simulated venue ◀── commands ── executor ◀── actions ── strategies
 *     └──── receive time ───▶ market data ─────────────────────────────────────────────▲
 */
import type { Action } from '../model/action.ts';
import { Instruments } from '../model/instrument.ts';
import type { BarOpenEvent, MarketEvent } from '../model/market-event.ts';
import type { Logger, Random } from '../model/ports.ts';
import { seededRandom } from '../model/random.ts';
import { msOf, usOf } from '../model/time.ts';
import { createMemoryJournal } from '../execution/journal/memory-store.ts';
import { openTape } from '../recording/open-tape.ts';
import type { OpenTapeOptions, SharedTape, Tape } from '../recording/tape.ts';
import type { SimulationOptions } from '../simulation/options.ts';
import { SimulatedVenue } from '../simulation/venue.ts';
import { VirtualClock } from '../simulation/virtual-clock.ts';
import type { CashEvent } from '../statistics/inputs.ts';
import { MarketData } from '../streams/market-data.ts';
import { installTraps, sharedState, type TrapWarning } from '../strategy/traps.ts';
import { installVirtualTime } from '../strategy/virtual-time.ts';
import { stepOn, stepped } from './replay-steps.ts';
import { buildResult, openPositions, paramsOf, trialSeries } from './build-result.ts';
import type { RunFacts, TrialFacts, TrialSeries } from './build-result.ts';
import type { Config } from './config/schema.ts';
import { Engine } from './engine.ts';
import { sessionErrors } from './errors.ts';
import { measuredSimulation } from './measured-latency.ts';
import { periodWithin } from './period.ts';
import { PaperFeed, replayOf, tapeSync } from './replay-tape.ts';
import type { BacktestResult } from './result.ts';
import { codeHashOf, runHash, runHashes } from './run-hash.ts';
import { RunRecorder } from './run-recorder.ts';
import { simulatedTreasury } from './simulated-treasury.ts';
import { withStreamGaps } from './stream-gaps.ts';
import { requireCurrencies } from './start-currencies.ts';
import { importWarnings, ownNamesOf, tradedSymbols, type PreparedStrategy } from './strategies.ts';
import { warmupCandles, withoutDecision, type Warmup } from './warmup.ts';
import { VenueWatch } from './watch-venue.ts';

export interface BacktestOptions {
  readonly config: Config;
  readonly strategies: readonly PreparedStrategy[];
  readonly data: readonly string[];
  /** Those of the data that are in memory already. */
  readonly shared?: readonly SharedTape[];
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Currencies to begin with that a human has named: the data must have them. */
  readonly startCurrencies?: readonly string[];
  readonly seed: number;
  /** The data that many times; only for measuring. */
  readonly repeat: number;
  readonly logger: Logger;
  readonly sampleMs?: number;
  /** When the strategies begin, Unix ms; at the start of the data by default. */
  readonly startAtMs?: number;
  /** When they are stopped; at the end of the data by default. */
  readonly stopAtMs?: number;
  /** The data is a session's own recording: its receive times are not repaired (T2), since it lived by them. */
  readonly asReceived?: boolean;
  /** The venue lives in receive time, as in a paper session: what such a session saw on a slow machine comes out again. */
  readonly asPaper?: boolean;
  readonly onActions?: (ts: number, tag: string, actions: readonly Action[]) => void;
  /** 0 to 1, while data is loaded. */
  readonly loading?: (fraction: number) => void;
  /** Its first number counts on with each step, for whoever watches from another thread. */
  readonly steps?: Int32Array;
  /** Told once how many events the data holds, before the first. */
  readonly loaded?: (events: number) => void;
}

export interface BacktestRun {
  readonly result: BacktestResult;
  /** Warnings that touch the results; exit 5 with `--strict`. */
  readonly grave: readonly string[];
  readonly failures: ReadonlyMap<string, Error>;
  /** Each payment, in its settlement currency. */
  readonly funding: readonly CashEvent[];
  /** What makes the run comparable with others on the same data. */
  readonly trial: TrialFacts;
}

/**
 * Closed orders and fills that the venue of a backtest remembers. Nobody reads its history (there is no reconciler); a
 * cancel that is under way still finds its order closed.
 */
const HISTORY_MAX = 20_000;

/** Virtual time that the last answers get after the data has ended. */
const DRAIN_US = 10_000_000;

/** The exchange model that the data can bear (rule M7): bars alone, or prints and best quotes alone. */
export function modelFor(tape: Tape, options: SimulationOptions): SimulationOptions {
  const { depth, trades, quotes, candles } = tape.counts;
  if (options.exchange !== 'partial-fill' || depth > 0) return options;
  if (candles > 0 && trades === 0 && quotes === 0) return { ...options, exchange: 'candles' };
  return { ...options, exchange: 'l1' };
}

/** The configured currency where something is quoted in it, else the quote currency of the first symbol. */
function reportingOf(tape: Tape, wanted: string): string {
  const settled = tape.instruments.map(({ quote, settle, market }) => (market === 'spot' ? quote : settle));
  return settled.includes(wanted) ? wanted : (settled[0] ?? wanted);
}

export async function backtest(options: BacktestOptions): Promise<BacktestRun> {
  const started = performance.now();
  const { fromMs, toMs, repeat, loading } = options;
  const tape = await openTape(options.data, {
    repeat,
    ...readOptions(options),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
    asReceived: options.asReceived ?? false,
    ...(loading === undefined ? {} : { progress: loading }),
  });
  let lived: Lived;
  try {
    if (tape.counts.total === 0) {
      throw sessionErrors.make('no_data', `${options.data.join(', ')} holds no events in the period`);
    }
    options.loaded?.(tape.counts.total);
    lived = await replay(options, tape, started);
  } finally {
    tape.close();
  }
  return runOf(lived);
}

function readOptions({ config, shared }: BacktestOptions): Pick<OpenTapeOptions, 'baseLatencyUs' | 'shared'> {
  const baseLatencyUs = usOf(config.simulation.latency.baseMs);
  return shared === undefined ? { baseLatencyUs } : { baseLatencyUs, shared };
}

/** The parts of one backtest, wired. */
interface Assembly {
  readonly clock: VirtualClock;
  readonly instruments: Instruments;
  readonly simulation: SimulationOptions;
  readonly reporting: string;
  readonly period: { readonly from: number; readonly to: number };
  /** Unix ms up to which the run lives: the period that was asked for may end later than its last event. */
  readonly untilMs: number;
  /** Where the data do not reach as far as was asked. */
  readonly warnings: readonly string[];
  readonly random: Random;
  readonly market: MarketData;
  readonly venue: SimulatedVenue;
  readonly engine: Engine;
  readonly recorder: RunRecorder;
  readonly watch: VenueWatch;
}

function assemble(options: BacktestOptions, tape: Tape): Assembly {
  const { config, strategies, seed, logger, onActions } = options;
  const instruments = new Instruments(tape.instruments.map(({ spec }) => spec));
  tradedSymbols(strategies, instruments, 'the data');
  requireCurrencies(options.startCurrencies ?? [], tape.instruments, 'the data');
  const simulation = modelFor(tape, measuredSimulation(config));
  const reporting = reportingOf(tape, config.account.reporting);
  const random = seededRandom(seed);
  const { from, to, warnings } = periodWithin(tape, options);
  const period = { from, to: msOf(tape.toUs) };
  const clock = new VirtualClock(Math.min(usOf(period.from), tape.fromUs));
  const sync = tapeSync(tape);
  const market = new MarketData({
    instruments,
    clock,
    log: logger,
    sequenceRule: (symbol) => sync(symbol).rule,
    bookStart: (symbol) => sync(symbol).start,
  });
  const recorder = new RunRecorder(instruments, reporting, {
    pointsMax: Infinity,
    bars: simulation.exchange === 'candles',
    packs: true,
  });
  const watch: VenueWatch = new VenueWatch({
    recorder,
    fromMs: period.from,
    account: () => venue.account(),
    insured: (currency) => venue.insured(currency),
  });
  const venue = new SimulatedVenue({
    clock,
    instruments,
    options: simulation,
    random: random.fork('venue'),
    start: config.account.start,
    sync,
    ...(options.asPaper === true ? { live: { offsetUs: () => 0 } } : {}),
    observer: watch,
    historyMax: HISTORY_MAX,
  });
  const engine = new Engine({
    clock,
    random,
    venue,
    treasury: simulatedTreasury(venue, clock, config),
    journal: createMemoryJournal({ rowsMax: 0 }),
    instruments,
    market,
    gates: [],
    execution: { risk: config.risk, reconcile: config.reconcile },
    reporting,
    strategies,
    logger,
    bootId: 'backtest',
    facts: { mode: 'backtest' },
    asksNobody: true,
    onPlot: (tag, plotted) => recorder.plots.add(clock.now(), tag, plotted),
    ...(onActions === undefined ? {} : { onActions: (tag, actions) => onActions(clock.now(), tag, actions) }),
  });
  engine.executor.listen((event) => recorder.onExecutorEvent(event));
  return {
    clock,
    instruments,
    simulation,
    reporting,
    period,
    untilMs: to,
    warnings,
    random,
    market,
    venue,
    engine,
    recorder,
    watch,
  };
}

/** How often the account is valued, beside what orders ask. */
const LOOK_MS = 60_000;

interface Played {
  readonly wallMs: number;
  /** What strategies used that a backtest replaces, one sentence each. */
  readonly trapped: readonly string[];
}

/** The loop: until every event has reached both sides, then until the strategies have stopped. */
async function play(options: BacktestOptions, tape: Tape, parts: Assembly, history: Warmup): Promise<Played> {
  const { clock, engine, venue, market, random } = parts;
  const { steps = new Int32Array(1) } = options;
  const trapped = importWarnings(options.strategies);
  const removeTime = installVirtualTime(clock, {
    unhandled: (thrown) => options.logger.error({ reason: String(thrown) }, 'an error that no strategy owns'),
  });
  const warn = ({ message }: TrapWarning): void => void trapped.push(message);
  const traps = installTraps({ clock, random: random.fork('traps'), ownNames: ownNamesOf(options.strategies), warn });
  // A live session looks each second; without anybody who watches the market there is nothing that could be lost in it.
  const stopLooking = clock.every(LOOK_MS, () => {
    if (market.isWatched) engine.executor.valueAccount();
  });
  const before = performance.now();
  let changed: readonly string[] = [];
  try {
    engine.open();
    const received = withStreamGaps(market.onEvent, {
      stress: parts.simulation.stress,
      random: random.fork('stream gaps'),
      startUs: clock.nowUs(),
      sync: tapeSync(tape),
    });
    const happened = (event: MarketEvent): void => venue.onMarket(event);
    const start = (): void => engine.startStrategies(({ tag }) => history.get(tag) ?? new Map());
    const opened = (): void => {
      if (options.startAtMs === undefined) start();
      else clock.schedule(usOf(options.startAtMs), 'timer', start);
    };
    const barOpens = parts.simulation.exchange === 'candles' ? (bar: BarOpenEvent): void => venue.onMarket(bar) : null;
    const replay =
      options.asPaper === true ? null : replayOf(tape, clock, { happened, barOpens }, { received, market }, opened);
    if (replay === null) opened();
    // Timers due by then run first, as in a session that is stopped.
    if (options.stopAtMs !== undefined)
      clock.schedule(usOf(options.stopAtMs), 'command', () => engine.stopStrategies('end'));
    // What setup awaits is there before the first event.
    if (traps.promisePending) await traps.drain();
    if (replay === null) {
      const lived = new PaperFeed(tape, clock, happened, received);
      while (lived.step()) {
        stepped(steps);
        if (traps.promisePending) await traps.drain();
      }
    } else {
      replay.wait();
      while (stepOn(replay, clock, traps, steps)) await traps.drain();
    }
    // A session that fell silent lived on until it was stopped, and a period lasts until its end.
    const endUs = usOf(options.stopAtMs ?? parts.untilMs);
    while (clock.nowUs() < endUs && clock.step(endUs)) if (traps.promisePending) await traps.drain();
    if (options.stopAtMs === undefined) clock.jumpTo(endUs);
    engine.stopStrategies('end');
    const limitUs = clock.nowUs() + DRAIN_US;
    // What happened before the data ended is told, also to a strategy that leaves its orders.
    while ((!engine.stopped || venue.underWay > 0) && clock.step(limitUs))
      if (traps.promisePending) await traps.drain();
  } finally {
    stopLooking();
    changed = traps.remove();
    removeTime();
  }
  if (changed.length > 0) throw sharedState(options.strategies.map(({ tag }) => tag).join(' or '), changed);
  return { wallMs: performance.now() - before, trapped };
}

/** What is left of a run when its parts are gone. */
interface Lived extends Pick<BacktestRun, 'grave' | 'failures'> {
  readonly facts: RunFacts;
  readonly recorder: RunRecorder;
  readonly instruments: Instruments;
  readonly trial: Omit<TrialFacts, keyof TrialSeries>;
}

async function replay(options: BacktestOptions, tape: Tape, started: number): Promise<Lived> {
  const parts = assemble(options, tape);
  const history = await warmupCandles(options.data, options.strategies, options.fromMs, readOptions(options));
  const loadMs = performance.now() - started;
  parts.market.resumeCandles(history.forming);
  const { wallMs, trapped } = await play(options, tape, parts, history.warmup);
  const { recorder, watch, engine, market, period, instruments } = parts;
  const to = Math.max(period.to, recorder.lastFillTs);
  watch.end(to);
  engine.close();
  market.close();
  const grave = [...tape.warnings, ...(tape.damaged ? ['part of the data was lost or could not be decoded'] : [])];
  const warnings = [...grave, ...trapped, ...withoutDecision(options.strategies, history, period)];
  const facts = factsOf(options, tape, parts, { loadMs, wallMs, to, warnings });
  const filesRead = options.strategies.flatMap(({ loaded }) => loaded.inputs.filesRead);
  const seen = { period, dataTo: msOf(tape.dataToUs) };
  const trial = { codeHash: codeHashOf(options.strategies), filesRead, dataHash: tape.contentHash, ...seen };
  return { facts, recorder, instruments, grave, failures: engine.failures, trial };
}

/** Made when venue, executor and tape are free to go: the result of a long run needs their room. */
function runOf({ facts, recorder, instruments, grave, failures, trial }: Lived): BacktestRun {
  const result = buildResult(facts, recorder, instruments);
  // An answer after the end of the data must not give one of the trials a return more than the others.
  const series = trialSeries({ ...result, period: trial.period }, recorder, instruments);
  return { result, grave, failures, funding: recorder.funding, trial: { ...trial, ...series } };
}

/** Without perpetuals in the data their options decide nothing: runs that differ in them alone are the same run. */
function inForce({ simulation, instruments }: Assembly): unknown {
  const { perpetuals, ...others } = simulation;
  return instruments.all().some(({ market }) => market === 'derivative') ? { ...others, perpetuals } : others;
}

interface Ending {
  readonly loadMs: number;
  readonly wallMs: number;
  readonly to: number;
  readonly warnings: readonly string[];
}

function factsOf(options: BacktestOptions, tape: Tape, parts: Assembly, ending: Ending): RunFacts {
  const { config, strategies, seed, repeat, sampleMs } = options;
  const { simulation, reporting, period, engine, venue } = parts;
  const { total, depth, trades, quotes } = tape.counts;
  const warnings = [...ending.warnings, ...parts.warnings];
  if (simulation.exchange !== config.simulation.exchange) {
    warnings.push(`the data has no depth: exchange model ${simulation.exchange}`);
  }
  if (reporting !== config.account.reporting) {
    warnings.push(`nothing is quoted in ${config.account.reporting}: figures are in ${reporting}`);
  }
  for (const { message } of engine.failures.values()) warnings.push(message);
  return {
    command: 'backtest',
    strategy: strategies.map(({ loaded }) => loaded.definition.name).join(' + '),
    currency: reporting,
    runHash: runHash({ strategies, dataHash: tape.dataHash, period, simulation: inForce(parts), config, seed, repeat }),
    hashes: runHashes(strategies, config, inForce(parts), tape.dataHash),
    seed,
    params: paramsOf(strategies),
    period: { from: period.from, to: ending.to },
    events: { total, depth, trades, quotes },
    loadMs: Math.round(ending.loadMs),
    wallMs: Math.round(ending.wallMs * 1000) / 1000,
    counters: engine.executor.counters(),
    assumptions: { ...venue.assumptions(), reporting, risk: config.risk },
    warnings,
    failures: engine.failures,
    files: { report: null, result: null },
    positions: openPositions(engine, strategies),
    ...(sampleMs === undefined ? {} : { sampleMs }),
  };
}
