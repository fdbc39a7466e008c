/**
 * The backtest: strategies over recordings in virtual time:
 *
 *   tape ── exchange time ──▶ simulated venue ◀── commands ── executor ◀── actions ── strategies
 *     └──── receive time ───▶ market data ─────────────────────────────────────────────▲
 */
import { Instruments } from '../model/market/instrument.ts';
import type { BarOpenEvent, MarketEvent } from '../model/market/market-event.ts';
import { repeatCancels } from '../reconciler/repeated-cancels.ts';
import type { Random } from '../model/ports.ts';
import { seededRandom } from '../model/random.ts';
import { msOf, usOf } from '../model/time.ts';
import { createMemoryJournal } from '../journal/memory-store.ts';
import { openTape } from '../recording/tape/open-tape.ts';
import type { OpenTapeOptions, Tape } from '../recording/tape/tape.ts';
import type { SimulationOptions } from '../simulation/options.ts';
import { p2pMarketsOf } from '../simulation/money/p2p-markets.ts';
import { SimulatedVenue } from '../simulation/venue/venue.ts';
import { VirtualClock } from '../simulation/clock/virtual-clock.ts';
import type { Payment } from './recorder/strategy-funding.ts';
import { MarketData } from '../streams/market-data.ts';
import { installTraps, sharedState, type TrapWarning } from '../strategy/traps.ts';
import { installVirtualTime } from '../strategy/running/virtual-time.ts';
import { stepOn, stepped } from './feed/replay-steps.ts';
import { buildResult, openPositions, paramsOf, trialSeries } from './result/build-result.ts';
import type { RunFacts, TrialFacts, TrialSeries } from './result/build-result.ts';
import type { BacktestOptions } from './backtest-options.ts';
import { changedInputs } from './feed/input-watch.ts';
import { staleMarkWarnings } from './result/stale-marks.ts';
import { lostBookWarnings } from './result/lost-books.ts';
import { Engine } from './engine.ts';
import { modelFor } from './feed/exchange-model.ts';
import { sessionErrors } from './errors.ts';
import { perpetualsOfNothing } from './config/symbols-of-nothing.ts';
import { measuredSimulation } from './feed/measured-latency.ts';
import { periodWithin } from './result/period.ts';
import { programRow } from './result/program-row.ts';
import { lookAtLosses } from './feed/loss-looks.ts';
import { lookAtProtection } from './feed/protection-looks.ts';
import { PaperFeed, replayOf, type ReplayedVenue } from './feed/replay-tape.ts';
import { columnsOf, type TapeColumns } from './replay/tape-columns.ts';
import { tapeSync } from './replay/tape-sync.ts';
import type { BacktestResult } from './result/result.ts';
import { codeHashOf, runHash, runHashes } from './result/run-hash.ts';
import { RunRecorder } from './recorder/run-recorder.ts';
import { withStreamGaps } from './feed/stream-gaps.ts';
import { receiptsOf, SignalInbox } from './signals/inbox.ts';
import { Silences } from './feed/silences.ts';
import { silentStreamWarnings } from './feed/silent-streams.ts';
import { scheduleSignals, signalsOutside } from './signals/recorded-signals.ts';
import { moneyLimits } from '../risk/limits.ts';
import { reportingOf, requireCurrencies } from './result/start-currencies.ts';
import { importWarnings, ownNamesOf, tradedSymbols } from './strategies.ts';
import { afterHistory, historyWarnings, historyOf, type Warmup } from './feed/warmup.ts';
import { VenueWatch } from './recorder/watch-venue.ts';

export interface BacktestRun {
  readonly result: BacktestResult;
  /** Exit 5 with `--strict`. */
  readonly grave: readonly string[];
  readonly failures: ReadonlyMap<string, Error>;
  /** In settlement currencies. */
  readonly funding: readonly Payment[];
  readonly trial: TrialFacts;
}

/** The history of a backtest is never read, so it is kept short. */
const HISTORY_MAX = 1_000;

const DRAIN_US = 10_000_000;

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
  const beginMs = afterHistory(options, tape);
  if (beginMs !== undefined) {
    tape.close();
    return backtest({ ...options, fromMs: beginMs });
  }
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

interface Assembly {
  readonly clock: VirtualClock;
  readonly instruments: Instruments;
  readonly simulation: SimulationOptions;
  readonly reporting: string;
  readonly period: { readonly from: number; readonly to: number };
  readonly warnings: readonly string[];
  readonly random: Random;
  readonly market: MarketData;
  readonly venue: SimulatedVenue;
  readonly engine: Engine;
  readonly recorder: RunRecorder;
  readonly watch: VenueWatch;
  readonly inbox: SignalInbox;
  readonly columns: TapeColumns | null;
}

function assemble(options: BacktestOptions, tape: Tape): Assembly {
  const { config, strategies, seed, logger, onActions } = options;
  const instruments = new Instruments(tape.instruments.map(({ spec }) => spec));
  const traded = tradedSymbols(strategies, instruments, 'the data');
  requireCurrencies(options.startCurrencies ?? [], tape.instruments, 'the data');
  const simulation = modelFor(tape, measuredSimulation(config));
  const { risk } = config;
  const limits = moneyLimits([risk, ...Object.values(risk.symbols), ...strategies.map((one) => one.limits)]);
  const reporting = reportingOf(tape.instruments, config.account.reporting, limits);
  const random = seededRandom(seed);
  const { from, to, ...ofPeriod } = periodWithin(tape, options);
  const ofNothing = perpetualsOfNothing(config.simulation.perpetuals, traded, instruments, 'the data');
  const clock = new VirtualClock(Math.min(usOf(from), tape.fromUs));
  const sync = tapeSync(tape);
  const silences = new Silences(tape, clock);
  const market = new MarketData({
    instruments,
    clock,
    log: logger,
    sequenceRule: (symbol) => sync(symbol).rule,
    bookStart: (symbol) => sync(symbol).start,
    isMidMark: true,
  });
  const recorder = new RunRecorder(instruments, reporting, {
    pointsMax: Infinity,
    bars: simulation.exchange === 'candles',
    packs: true,
  });
  const watch: VenueWatch = new VenueWatch({
    recorder,
    fromMs: from,
    account: () => venue.account(),
    insured: (currency) => venue.insured(currency),
  });
  const venue = new SimulatedVenue({
    clock,
    instruments,
    options: simulation,
    random: random.fork('venue'),
    start: config.account.start,
    traded: traded.flatMap((symbol) => instruments.find(symbol) ?? []),
    sync,
    ...(options.asPaper === true ? { live: { offsetUs: () => 0 } } : {}),
    observer: watch,
    money: { accounts: config.account.accounts, markets: p2pMarketsOf(config.simulation.p2p) },
    historyMax: HISTORY_MAX,
    stops: (symbol) => engine.executor.stops(symbol),
  });
  const engine = new Engine({
    clock,
    random,
    venue,
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
    staleBecause: (symbol) => silences.because(symbol),
    signals: { listen: (listener) => inbox.listen(listener) },
    onPlot: (tag) => recorder.plots.pen(tag, clock),
    ...(onActions === undefined ? {} : { onActions: (tag, actions) => onActions(clock.now(), tag, actions) }),
  });
  silences.watch(engine.executor);
  const inbox = new SignalInbox(receiptsOf(engine.executor, strategies[0]!.tag));
  engine.executor.listen((event) => {
    venue.catchUp();
    recorder.onExecutorEvent(event);
  });
  return {
    clock,
    instruments,
    simulation,
    reporting,
    period: { from, to },
    warnings: [...ofPeriod.warnings, ...ofNothing],
    random,
    market,
    venue,
    engine,
    recorder,
    watch,
    inbox,
    columns: options.plain === true || options.asPaper === true ? null : columnsOf(tape),
  };
}

interface Played {
  readonly wallMs: number;
  readonly trapped: readonly string[];
}

async function play(options: BacktestOptions, tape: Tape, parts: Assembly, history: Warmup): Promise<Played> {
  const { clock, engine, venue, market, random } = parts;
  const { steps = new Int32Array(1) } = options;
  const trapped = importWarnings(options.strategies);
  const removeTime = installVirtualTime(clock, {
    unhandled: (thrown) => options.logger.error({ reason: String(thrown) }, 'an error that no strategy owns'),
  });
  const warn = ({ message }: TrapWarning): void => void trapped.push(message);
  const traps = installTraps({ clock, random: random.fork('traps'), ownNames: ownNamesOf(options.strategies), warn });
  const stopLooking = lookAtLosses(engine.executor, market, clock);
  const stopCancels = repeatCancels(engine.executor);
  const protects = options.strategies.some(({ loaded }) => loaded.definition.protect);
  const stopWatching = protects ? lookAtProtection(engine.executor, clock) : () => {};
  const before = performance.now();
  let wallMs = Number.NaN;
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
    const start = (): void => engine.startStrategies(({ tag }) => history.get(tag) ?? new Map(), options.values);
    const opened = (): void => {
      if (options.startAtMs === undefined) start();
      else clock.schedule(usOf(options.startAtMs), 'timer', start);
    };
    const barOpens = parts.simulation.exchange === 'candles' ? (bar: BarOpenEvent): void => venue.onMarket(bar) : null;
    scheduleSignals(options.signals?.signals ?? [], clock, parts.inbox);
    const replayed: ReplayedVenue = { happened, barOpens, replay: (columns) => venue.replay(columns) };
    const replay =
      options.asPaper === true ? null : replayOf(tape, clock, replayed, { received, market }, opened, parts.columns);
    if (replay === null) opened();
    // Timers due by then run first, as in a stopped session.
    if (options.stopAtMs !== undefined)
      clock.schedule(usOf(options.stopAtMs), 'command', () => engine.stopStrategies('end'));
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
    const endUs = usOf(options.stopAtMs ?? parts.period.to);
    while (clock.nowUs() < endUs && clock.step(endUs)) if (traps.promisePending) await traps.drain();
    if (options.stopAtMs === undefined) clock.jumpTo(endUs);
    engine.stopStrategies('end');
    const limitUs = clock.nowUs() + DRAIN_US;
    while ((!engine.stopped || venue.underWay > 0) && clock.step(limitUs))
      if (traps.promisePending) await traps.drain();
    wallMs = performance.now() - before;
  } finally {
    stopLooking();
    stopCancels();
    stopWatching();
    changed = traps.remove();
    removeTime();
  }
  if (changed.length > 0) throw sharedState(options.strategies.map(({ tag }) => tag).join(' or '), changed);
  return { wallMs, trapped };
}

interface Lived extends Pick<BacktestRun, 'grave' | 'failures'> {
  readonly facts: RunFacts;
  readonly recorder: RunRecorder;
  readonly instruments: Instruments;
  readonly trial: Omit<TrialFacts, keyof TrialSeries>;
}

async function replay(options: BacktestOptions, tape: Tape, started: number): Promise<Lived> {
  const parts = assemble(options, tape);
  const history = await historyOf(options, readOptions(options));
  const loadMs = performance.now() - started;
  parts.market.resumeCandles(history.forming);
  const { wallMs, trapped } = await play(options, tape, parts, history.warmup);
  const { recorder, watch, engine, market, period, instruments } = parts;
  const to = Math.max(period.to, recorder.lastFillTs);
  watch.end(to);
  engine.close();
  market.close();
  const grave = [...tape.warnings, ...(tape.damaged ? ['part of the data was lost or could not be decoded'] : [])];
  const changed = changedInputs(options.strategies);
  const begin = Math.min(period.from, msOf(tape.fromUs));
  const outside = signalsOutside(options.signals ?? { signals: [] }, begin, to);
  const late = historyWarnings(options.strategies, history, period);
  const warnings = [...grave, ...trapped, ...changed, ...outside, ...late];
  const facts = factsOf(options, tape, parts, { loadMs, wallMs, to, warnings });
  const filesRead = options.strategies.flatMap(({ loaded }) => loaded.inputs.filesRead);
  const seen = { period, dataTo: msOf(tape.dataToUs) };
  const data = { dataHash: tape.contentHash, dataParts: tape.parts };
  const trial = { codeHash: codeHashOf(options.strategies), filesRead, ...data, ...seen };
  return { facts, recorder, instruments, grave, failures: engine.failures, trial };
}

/** Made after venue, executor and tape are freed, for memory. */
function runOf({ facts, recorder, instruments, grave, failures, trial }: Lived): BacktestRun {
  const result = buildResult(facts, recorder, instruments);
  // A late answer must not add a return to one trial only.
  const series = trialSeries({ ...result, period: trial.period }, recorder, instruments);
  return { result, grave, failures, funding: recorder.payments, trial: { ...trial, ...series } };
}

/** Without perpetuals their options do not distinguish runs. */
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
  warnings.push(...silentStreamWarnings(parts.market.asked, tape.counts));
  warnings.push(...parts.market.unfitCandles(), ...lostBookWarnings(parts.market.openGaps(), ending.to));
  const traded = new Set(engine.executor.state.positions.all().map(({ instrument }) => instrument));
  warnings.push(...staleMarkWarnings([...traded], (instrument) => venue.markStoodUs(instrument, usOf(ending.to))));
  for (const { message } of engine.failures.values()) warnings.push(message);
  return {
    command: 'backtest',
    strategy: strategies.map(({ loaded }) => loaded.definition.name).join(' + '),
    currency: reporting,
    runHash: runHash({
      strategies,
      dataHash: tape.dataHash,
      period,
      simulation: inForce(parts),
      config,
      seed,
      repeat,
      signals: options.signals?.hash,
    }),
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
    programs: engine.executor.programs().map(programRow),
    ...(strategies.length < 2
      ? {}
      : {
          each: strategies.map(({ tag, loaded, limits }) => ({
            tag,
            name: loaded.definition.name,
            share: limits.share ?? null,
            counters: engine.executor.counters(tag),
          })),
        }),
    ...(sampleMs === undefined ? {} : { sampleMs }),
  };
}
