/** The life of a wired session: open, compare with the account, let the strategies decide, end in order. */
import { join } from 'node:path';
import type { ExchangeSocket } from '../exchange/client/sockets/socket.ts';
import type { Instrument } from '../model/market/instrument.ts';
import type { JournalStore } from '../model/entries/journal.ts';
import type { Cancel, Clock } from '../model/ports.ts';
import type { AccountCalls } from './emergency/account-call.ts';
import type { ActionWriter } from './decisions/action-writer.ts';
import type { ApprovedVersions } from './controls/approved-versions.ts';
import { exchangeWarmup } from './feed/exchange-warmup.ts';
import { reconciled } from './healing/first-comparison.ts';
import { heedKillFile } from './emergency/kill-file.ts';
import { cleared, disconnect } from './healing/orderly-end.ts';
import { demandFeeds } from './feed/perpetual-feed.ts';
import type { RunningSession, SessionOptions } from './store/running-session.ts';
import type { SessionRecording } from './feed/session-recording.ts';
import { inheritIds } from './signals/earlier-ids.ts';
import type { SignalInbox } from './signals/inbox.ts';
import { watchSignalFile } from './signals/watch-file.ts';
import { clearKillCommand } from './controls/lifting-commands.ts';
import { sessionFiles, writeSession } from './store/store.ts';
import type { Supervisor } from './supervisor/supervisor.ts';
import type { EndReason } from './clock/until.ts';
import type { VenueParts } from './venue-parts.ts';

export interface TradeOptions extends SessionOptions {
  readonly until: (clock: Clock, failed: Promise<void>) => Promise<EndReason>;
  readonly onStart?: (session: RunningSession) => () => void;
  /** Warnings of what stands once journal and exchange are compared, before a strategy decides. */
  readonly standing?: (session: RunningSession) => readonly string[];
  readonly calls?: AccountCalls | null;
  /** `--signal-file`: a growing file of signals. */
  readonly signalFile?: string;
  /** Armed after the journal is read. */
  readonly supervisor?: Pick<Supervisor, 'arm' | 'ready'>;
}

export interface Wired {
  readonly options: TradeOptions;
  readonly journal: JournalStore;
  readonly session: RunningSession;
  readonly parts: VenueParts;
  readonly socket: ExchangeSocket;
  readonly recording: SessionRecording;
  readonly actions: ActionWriter;
  readonly approved: ApprovedVersions;
  readonly inbox: SignalInbox;
  /** Resolves when every strategy or the journal has failed. */
  readonly failed: Promise<void>;
}

export interface Outcome {
  readonly reason: EndReason;
  readonly decidingFrom: number | null;
  readonly decidingTo: number | null;
  /** Empty is an orderly end. */
  readonly left: readonly string[];
  /** Why the kill switch was on from the start to the end. */
  readonly killed: string | null;
}

export async function trade({
  options,
  session,
  parts,
  socket,
  recording: { witness },
  failed,
  inbox,
}: Wired): Promise<Outcome> {
  const { connection, folder, strategies, logger } = options;
  let disarm: Cancel = () => {};
  let closeSignals: Cancel = () => {};
  const { engine, stream, reconciler, signals, symbols, clock } = session;
  const real = connection.clock;
  let decidingFrom: number | null = null;
  let beganKilled = false;
  clock.deliver(real.nowUs(), () => {
    const report = engine.open(session.begun);
    logger.info({ ...report }, 'journal restored');
    disarm = options.supervisor?.arm() ?? disarm;
    if (report.restoredBecause !== null)
      logger.warn({}, `${report.restoredBecause}: only cancels and reductions are sent until it is acknowledged`);
    heedKillFile(join(folder.path, sessionFiles.kill), engine.executor);
    options.calls?.heed(engine.executor);
    const { killReason } = engine.executor.state;
    beganKilled = killReason !== undefined;
    if (beganKilled)
      logger.warn(
        {},
        `the kill switch is on: ${killReason}; cancels and exits are sent, and nothing else until it is cleared: ${clearKillCommand(folder.record.id)}`,
      );
    parts.started(session);
    stream.start();
    session.followed.each((symbol) => demandFeeds(stream, symbol));
    socket.start();
    reconciler.start();
    engine.executor.lookAtGates(symbols);
  });
  const leave = options.onStart?.(session);
  try {
    const ending = options.until(real, failed);
    const isKnown = await reconciled(reconciler, symbols, real, ending);
    await options.supervisor?.ready;
    const instrumentOf = (symbol: string): Instrument | undefined => connection.instruments.find(symbol);
    const warmup = isKnown
      ? await Promise.race([
          exchangeWarmup(connection.exchange, strategies, instrumentOf, logger),
          ending.then(() => null),
        ])
      : null;
    if (warmup !== null)
      clock.deliver(real.nowUs(), () => {
        decidingFrom = clock.now();
        engine.executor.lookAtGates(symbols);
        writeSession(folder.path, { ...folder.record, decidingFrom });
        for (const warning of options.standing?.(session) ?? []) {
          logger.warn({}, warning);
          session.recorder.warn(warning);
        }
        witness.began();
        engine.startStrategies(({ tag }) => warmup.get(tag) ?? new Map());
        witness.read(strategies.map(({ tag, loaded }) => ({ tag, files: loaded.inputs.fileHashes })));
        inheritIds(inbox, folder, Object.keys(options.config.signals), logger);
        signals.open();
      });
    const { signalFile: path } = options;
    if (path !== undefined && warmup !== null)
      closeSignals = watchSignalFile({
        path,
        inbox,
        clock: real,
        logger,
        deliver: (run) => clock.deliver(real.nowUs(), run),
      });
    const reason = await ending;
    closeSignals();
    signals.close();
    let decidingTo = clock.now();
    clock.deliver(real.nowUs(), () => {
      decidingTo = clock.now();
      const told = reason === 'orphaned' ? 'signal' : reason;
      witness.stopping(told);
      engine.stopStrategies(told, reason === 'orphaned');
    });
    const left = await cleared(session, real, logger);
    const killed = beganKilled ? (engine.executor.state.killReason ?? null) : null;
    return { reason, decidingFrom, decidingTo, left, killed };
  } catch (thrown) {
    // Strategies must not act while the session ends.
    clock.deliver(real.nowUs(), () => {
      witness.stopping('error');
      engine.stopStrategies('error');
    });
    await cleared(session, real, logger);
    throw thrown;
  } finally {
    closeSignals();
    signals.close();
    disarm();
    leave?.();
  }
}

export async function takeDown({ options, session, parts, socket, recording, actions }: Wired): Promise<void> {
  const { engine, stream, reconciler, clock } = session;
  await disconnect({ reconciler, stream, socket, venue: parts.venue });
  await recording.close(options.logger);
  actions.flush();
  parts.ended(clock.now());
  engine.close();
  clock.stop();
}
