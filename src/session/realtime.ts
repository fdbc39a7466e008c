/**
 * What paper and live sessions share:
 *
 *   socket ─▶ recorder (raw) ─▶ paced clock ─▶ public stream ─▶ sinks of the venue, market data ─▶ strategies
 *                                                                       executor ◀── actions ◀──────┘
 */
import { dirname, join } from 'node:path';
import { messageOf } from '../model/errors.ts';
import type { Instruments, Market } from '../model/market/instrument.ts';
import type { JournalStore } from '../model/entries/journal.ts';

import { createReconciler } from '../reconciler/reconciler.ts';
import { VirtualClock } from '../simulation/clock/virtual-clock.ts';
import { createPublicStream } from '../streams/public.ts';
import { keepProcess } from '../strategy/traps/process-end.ts';
import { tellFiles } from '../strategy/traps/told-files.ts';
import { installVirtualTime } from '../strategy/running/virtual-time.ts';
import { ActionWriter } from './decisions/action-writer.ts';
import { ApprovedVersions } from './controls/approved-versions.ts';
import { Engine } from './engine.ts';
import { firstQuote } from './result/first-quote.ts';
import { ownPositions, type OwnPosition } from './result/own-positions.ts';
import type { RunningSession } from './store/running-session.ts';
import { PacedClock } from './clock/paced-clock.ts';
import { panicWatch } from './emergency/panic-orders.ts';
import { pacedSource } from './clock/paced-source.ts';
import { perpetualFeed } from './feed/perpetual-feed.ts';
import { RebuiltVenue } from './paper-venue/rebuilt-venue.ts';
import { FollowedSymbols } from './feed/followed-symbols.ts';
import { recordSocket } from './feed/record-socket.ts';
import { SignalEntrance } from './signals/entrance.ts';
import { receiptsOf, SignalInbox } from './signals/inbox.ts';
import { SessionRecording } from './feed/session-recording.ts';
import { remoteControl, reportedTo, type RemoteLink } from './remote/remote-link.ts';
import { RunRecorder } from './recorder/run-recorder.ts';
import { takeDown, trade, type Outcome, type TradeOptions, type Wired } from './realtime-trade.ts';
import { bootIdOf, earlierSessions, openSessionJournal, startFacts } from './start-up.ts';
import { filledElsewhere } from './store/filled-elsewhere.ts';
import { sessionFiles, writeSession, type SessionRecord } from './store/store.ts';
import { symbolFacts } from './paper-venue/symbol-facts.ts';
import { importWarnings, tradedSymbols, type PreparedStrategy } from './strategies.ts';
import { watchInputs } from './feed/input-watch.ts';
import { earlierResult } from './result/earlier-legs.ts';
import { standingSymbols, tradedMarkets } from './store/standing.ts';
import { resumed } from '../journal/resume.ts';
import type { Replay } from '../spine/replay.ts';
import { startKeeper } from './recorder/equity-start.ts';
import { beat } from './store/heartbeat.ts';
import { watchCancelOrders } from './controls/cancel-control.ts';
import { watchLimitOrders } from './controls/limit-control.ts';
import { keepLosses } from './store/losses-file.ts';
import { keepPrices } from './store/prices-file.ts';
import { journalWatches } from './upkeep/journal-watches.ts';
import { observedJournal, type SessionObserver } from './upkeep/observed-journal.ts';
import { watchKillFile } from './emergency/kill-file.ts';
import { resumedOtherwise } from './upkeep/resumed-otherwise.ts';
import { guardUncaught } from './uncaught.ts';
import type { EndReason } from './clock/until.ts';
import type { VenueContext, VenueParts } from './venue-parts.ts';

export interface RealtimeOptions extends TradeOptions {
  readonly makeVenue: (context: VenueContext) => VenueParts;
  /** `--new`. */
  readonly fresh?: boolean;
  /** What a resumed session ran with before. */
  readonly ranWith?: SessionRecord['strategies'];
  readonly observer?: SessionObserver;
  /** Who follows and commands it from outside, such as the dashboard's thread. */
  readonly remote?: RemoteLink;
}

export interface RealtimeRun {
  readonly session: RunningSession;
  readonly parts: VenueParts;
  readonly from: number;
  readonly to: number;
  readonly reason: EndReason;
  /** Why the kill switch was on from the start to the end. */
  readonly killed: string | null;
  /** From process start to the first accepted own order. */
  readonly firstQuoteMs: number | null;
  readonly warnings: readonly string[];
  /** What could not be confirmed at the end, in words; null when all was. */
  readonly unconfirmed: string | null;
}

/** Greatest lag of the journal's witness. */
const IDLE_MS = 1000;
const LOOK_MS = 1000;

export async function runRealtime(options: RealtimeOptions): Promise<RealtimeRun> {
  const { mode, config, folder, connection, logger, fresh, ranWith } = options;
  const journal = await openSessionJournal({ mode, config, folder, clock: connection.clock, logger, fresh, ranWith });
  try {
    return await withJournal(options, observedJournal(journal, connection.clock, options.observer));
  } finally {
    journal.close();
  }
}

function wire(options: RealtimeOptions, store: JournalStore): Wired {
  const { mode, connection, config, folder, strategies, logger, random } = options;
  const { exchange, instruments, clock: real } = connection;
  const { journal, hear } = reportedTo(options.remote, store, real);
  const clock: PacedClock = new PacedClock(new VirtualClock(real.nowUs()), real, () => recording.witness);
  const makeRecorder = (): RunRecorder => new RunRecorder(instruments, config.account.reporting);
  const simulated = mode === 'paper' ? new RebuiltVenue(symbolFacts(instruments, config.simulation.fees)) : null;
  const { recorder, earlier, incomplete } = earlierResult(journal, makeRecorder, simulated, logger);
  const begun = earlier?.replay ?? resumed(journal);
  const followed = new FollowedSymbols(namedSymbols(options, begun));
  const { all: symbols } = followed;
  const socket = exchange.publicSocket();
  const recording = new SessionRecording(options, followed, clock);
  const { raw, witness } = recording;
  recordSocket(socket, raw, 'public');
  const startedAt = clock.now();
  const parts = options.makeVenue({ connection, journal, clock, startedAt, recorder, raw, symbols, logger, earlier });
  const stream = createPublicStream({
    source: pacedSource(socket, clock, real, witness.flush),
    instruments,
    clock,
    log: logger,
    // The witness last, after the venue's reaction to an event.
    sinks: [...parts.sinks, witness.sink],
    onDiscarded: (...what) => [parts, witness].forEach((each) => each.discarded?.(...what)),
    onUndecodable: (symbol) => parts.undecodable?.(symbol),
    onFollowed: (symbol) => followed.add(symbol),
    fetchSnapshot: async (instrument) => {
      const answer = await exchange.marketData.orderBook(instrument, 1000);
      return answer.kind === 'failed' ? null : { ...answer.value, receiveUs: real.nowUs() };
    },
    enter: (receiveUs, run) => clock.deliver(receiveUs, run),
    onFetched: recording.fetched,
    readFeed: perpetualFeed({
      futures: exchange.futures,
      recorder: recording.read,
      clock,
      logger,
      deliver: (run) => clock.deliver(real.nowUs(), run),
    }),
  });
  const actions = new ActionWriter(join(folder.path, sessionFiles.actions), real, logger);
  const failed = Promise.withResolvers<void>();
  const approved = new ApprovedVersions(dirname(folder.path), folder.record);
  const gates = [stream.gate, ...parts.gates];
  const engine: Engine = new Engine({
    clock,
    random,
    venue: parts.venue,
    journal,
    instruments,
    market: stream.market,
    gates,
    ...(parts.wall === undefined ? {} : { wall: parts.wall }),
    execution: { risk: config.risk, reconcile: config.reconcile },
    reporting: config.account.reporting,
    strategies,
    logger,
    bootId: bootIdOf(folder, clock.now()),
    asksNobody: parts.isBelieved ?? false,
    explains: true,
    ...(mode === 'live' ? ofLive(options, approved, clock.now()) : {}),
    facts: {
      mode,
      account: folder.record.account,
      exchange: folder.record.exchange,
      session: folder.record.id,
      ...startFacts(config),
    },
    witness,
    signals: { listen: (listener) => inbox.listen(listener) },
    onPlot: (tag) => recorder.plots.pen(tag, clock),
    onActions: (tag, acts) => actions.add(clock.now(), tag, acts),
    onFailure: (tag, { message }) => tellFailure(engine, tag, message, failed.resolve),
  });
  const inbox = new SignalInbox(receiptsOf(engine.executor, strategies[0]!.tag));
  const signals = entranceOf(inbox, engine, options, clock);
  engine.executor.listen((event) => {
    recorder.onExecutorEvent(event);
    // Without a journal only cancels may be sent: stop.
    if (event.kind === 'alarm' && event.code === 'journal_failed') failed.resolve();
  });
  const reconciler = createReconciler(engine.executor, {
    markets: marketsOf(mode, symbols, instruments, begun),
    clockDoubtMs: () => exchange.clockOffset.doubtMs,
    earlierSessions: earlierSessions(folder),
    symbols,
    onPass: (report) => options.observer?.passed(report),
  });
  const remote = remoteControl(options.remote, options, engine, clock);
  hear(remote);
  const session = {
    options,
    engine,
    remote,
    stream,
    reconciler,
    gates,
    privateAgeMs: parts.privateAgeMs,
    recorder,
    earlier,
    begun,
    incomplete,
    symbols,
    followed,
    signals,
    clock,
    startedAt,
  };
  return { options, journal, session, parts, socket, recording, actions, approved, inbox, failed: failed.promise };
}

/** Trials protect money; paper uses the configured limits. */
function ofLive(
  { config, folder, connection, logger }: RealtimeOptions,
  approved: ApprovedVersions,
  startedAt: number,
) {
  const sentElsewhere = panicWatch(folder, { instruments: connection.instruments, startedAt, logger });
  const elsewhere = { sentElsewhere, filledElsewhere: (tag: string) => filledElsewhere(folder, tag) };
  if (config.risk.canary === undefined) return elsewhere;
  return { ...elsewhere, onTrial: (tag: string, version: string): boolean => !approved.has(tag, version) };
}

/** With the last strategy the session ends. */
function tellFailure({ executor, allFailed }: Engine, tag: string, message: string, end: () => void): void {
  executor.threw(tag, message);
  if (allFailed) end();
}

/** A strategy need not name what it trades, but what stands at the exchange must be followed from the start. */
function namedSymbols(
  { strategies, connection: { instruments, name } }: RealtimeOptions,
  begun: Replay,
): readonly string[] {
  const left = standingSymbols(begun).filter((symbol) => instruments.find(symbol) !== undefined);
  return [...new Set([...tradedSymbols(strategies, instruments, name), ...left])];
}

/** On paper all, so that no first order waits until its market is read; live a key need not be allowed to read all. */
function marketsOf(
  mode: RealtimeOptions['mode'],
  symbols: readonly string[],
  instruments: Instruments,
  begun: Replay,
): readonly Market[] {
  const first = mode === 'paper' ? instruments.symbols() : symbols;
  const named = first.flatMap((symbol) => instruments.find(symbol)?.market ?? []);
  return [...new Set<Market>(['spot', ...named, ...tradedMarkets(begun)])];
}

function entranceOf(
  inbox: SignalInbox,
  { executor }: Engine,
  { connection }: RealtimeOptions,
  clock: PacedClock,
): SignalEntrance {
  return new SignalEntrance({ inbox, executor, deliver: (run) => clock.deliver(connection.clock.nowUs(), run) });
}

/** A backtest ends at 10,000 rounds (T4). */
const INSTANT_TIMERS_MAX = 2000;

async function withJournal(options: RealtimeOptions, journal: JournalStore): Promise<RealtimeRun> {
  const wired = wire(options, journal);
  const { session, parts } = wired;
  const { connection, config, folder, logger } = options;
  const { engine, clock, startedAt } = session;
  const real = connection.clock;
  for (const warning of importWarnings(options.strategies)) logger.warn({}, warning);
  for (const warning of resumedOtherwise(options.ranWith ?? [], options.strategies, session.begun)) {
    logger.warn({}, warning);
    session.recorder.warn(warning);
  }
  const keepStart = startKeeper((entry) => engine.executor.record(entry), session.recorder.equity);
  const firstQuoteMs = firstQuote(engine.executor);
  const guards = [
    installVirtualTime(clock, {
      instantTimersMax: INSTANT_TIMERS_MAX,
      unhandled: (thrown) => logger.error({ reason: messageOf(thrown) }, 'an error that no strategy owns'),
    }),
    guardUncaught(logger),
    keepProcess(),
    tellFiles(({ tag }, message) => logger.warn({ strategy: tag }, message)),
    watchInputs(options.strategies, real, logger),
    real.every(IDLE_MS, () => journal.idle()),
    real.every(LOOK_MS, () =>
      clock.deliver(real.nowUs(), () => {
        engine.look(session.symbols);
        keepStart();
      }),
    ),
    ...(options.mode === 'live' ? [beat(join(folder.path, sessionFiles.heartbeat), real, logger)] : []),
    keepPrices(join(folder.path, sessionFiles.prices), session),
    keepLosses(join(folder.path, sessionFiles.losses), real, engine.executor, config.account.reporting, logger),
    watchLimitOrders({
      path: folder.path,
      executor: engine.executor,
      clock: real,
      logger,
      approved: (said) => wired.approved.add({ ...said, session: folder.record.id, at: clock.now() }),
      deliver: (run) => clock.deliver(real.nowUs(), () => run(clock.now())),
    }),
    watchCancelOrders({
      path: folder.path,
      executor: engine.executor,
      strategies: options.strategies.map(({ tag }) => tag),
      clock: real,
      logger,
      deliver: (run) => clock.deliver(real.nowUs(), run),
    }),
    ...journalWatches({ path: folder.path, mode: options.mode, connection, config, journal, engine, clock, logger }),
    watchKillFile(join(folder.path, sessionFiles.kill), real, engine.executor, (run) =>
      clock.deliver(real.nowUs(), run),
    ),
    options.calls?.watch(real, engine.executor, (run) => clock.deliver(real.nowUs(), run)) ?? ((): void => {}),
  ];
  let outcome: Outcome = { reason: 'error', decidingFrom: null, decidingTo: null, left: [], killed: null };
  try {
    outcome = await trade(wired);
  } finally {
    await takeDown(wired);
    for (const remove of guards) remove();
  }
  const { journalFailure } = engine.executor;
  if (journalFailure !== undefined) throw journalFailure;
  const { reason, decidingFrom, decidingTo, left, killed } = outcome;
  const loss = engine.executor.lossOfDay();
  writeSession(folder.path, {
    ...folder.record,
    decidingFrom,
    decidingTo,
    clean:
      left.length === 0 &&
      !(reason === 'orphaned' && engine.executor.programs().some(({ state }) => state === 'working')),
    latched: folder.record.mode === 'live' && engine.executor.killed,
    left: leavesAnything(wired),
    dayLoss: loss === undefined ? null : { ...loss, currency: config.account.reporting },
    endedAt: clock.now(),
  });
  const held = decidingFrom === null ? [] : leftPositions(engine, options.strategies);
  const flattened = new Set(options.strategies.filter(({ onStop }) => onStop === 'flatten').map(({ tag }) => tag));
  const stuck = held.filter(({ tag }) => flattened.has(tag)).map(stuckText);
  for (const { tag, quantity, symbol } of held)
    logger.warn({}, `${quantity} ${symbol} of ${tag} are left unprotected: nothing closes them while no session runs`);
  const warnings = [...[...engine.failures.values()].map(({ message }) => message), ...left, ...stuck];
  const open = engine.executor.state.orders.allLive().length;
  const unconfirmed = left.length === 0 ? null : `${open} orders may still rest at the exchange: ${left.join('; ')}`;
  const to = clock.now();
  return { session, parts, from: startedAt, to, reason, killed, firstQuoteMs: firstQuoteMs(), warnings, unconfirmed };
}

/** Without what is too small for an order. */
function leftPositions(engine: Engine, strategies: readonly PreparedStrategy[]): readonly OwnPosition[] {
  return ownPositions(engine, strategies).filter(({ isFlat }) => !isFlat);
}

/** `flatten_stuck` has the reason. */
function stuckText({ tag, quantity, symbol }: OwnPosition): string {
  return `${tag} still holds ${quantity} ${symbol}, which its onStop: flatten did not close`;
}

/** A paper account starts anew, unless a human has paused a strategy: only a human resumes it. */
function leavesAnything({ session: { engine, options } }: Wired): boolean {
  const { executor } = engine;
  return options.mode === 'live' ? executor.leavesAnything() : executor.state.pauses.size > 0;
}
