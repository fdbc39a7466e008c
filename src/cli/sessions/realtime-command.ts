/** What `paper` and `run` share on the command line. A mode supplies key, account and venue. */
import { resolve } from 'node:path';
import { pingsOf, sinksOf } from '../../session/alerts/options.ts';
import { keepPinging } from '../../session/alerts/ping.ts';
import { AlertService } from '../../session/alerts/service.ts';
import type { ServedMetrics } from '../../bridge/metrics/start.ts';
import { messageOf } from '../../model/errors.ts';
import type { Command } from 'commander';
import type { Dashboard } from '../../bridge/thread/dashboard.ts';
import type { Credentials } from '../../exchange/client/credentials.ts';
import type { Cancel, Logger, Random } from '../../model/ports.ts';
import { seededRandom } from '../../model/random.ts';
import { secretsInFile } from '../../session/config/literal-secrets.ts';
import { loadConfig } from '../../session/config/load.ts';
import type { Config } from '../../session/config/schema.ts';
import { connect, credentialsOf, type Connection } from '../../session/connection/connection.ts';
import { sessionErrors } from '../../session/errors.ts';
import { keyFilePath } from '../../session/key-file/key-file.ts';
import { guardOf, keepBand, type Guard } from '../../session/drift/band-guard.ts';
import { unhealthyBecause } from '../../session/view/health.ts';
import { keyHash } from '../../session/connection/key-hash.ts';
import { createLogger } from '../../session/store/logger.ts';
import { claimSession, openFolder, type FolderWish, type SessionClaim } from '../../session/store/open-folder.ts';
import { readOverdraftInterest } from '../../session/money/overdraft-interest.ts';
import type { RunningSession } from '../../session/store/running-session.ts';
import { realtimeResult } from '../../session/result/realtime-result.ts';
import { runRealtime, type RealtimeRun } from '../../session/realtime.ts';
import type { VenueContext, VenueParts } from '../../session/venue-parts.ts';
import { tellServiceManager } from '../../session/view/service-manager.ts';
import { sessionFiles } from '../../session/store/store.ts';
import { requireCurrencies, requireReporting } from '../../session/result/start-currencies.ts';
import { requireListed } from '../../session/store/unlisted.ts';
import { limitsOfNothing, perpetualsOfNothing } from '../../session/config/symbols-of-nothing.ts';
import { entriesOf, prepareStrategies, tradedSymbols } from '../../session/strategies.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { supervise, type SuperviseOptions, type Supervisor } from '../../session/supervisor/supervisor.ts';
import { sessionEnd } from '../../session/clock/until.ts';
import { parseParamTexts } from '../../strategy/loading/params.ts';
import { sayError, type CliIo, type CommandResult } from '../command.ts';
import { configSource, durationOption, repeated, seedOption, startOption, withStart } from '../config-option.ts';
import {
  dashboardWish,
  openDashboard,
  withDashboardOptions,
  type DashboardFlags,
  type DashboardWish,
  type StartWish,
} from './dashboard-option.ts';
import { resultText } from '../research/result-text.ts';
import { limitWarnings } from './limit-warnings.ts';
import { keptMessages, showSession } from './session-screen.ts';
import { checkTypes } from '../type-check.ts';

export interface RealtimeCommandOptions extends DashboardFlags {
  readonly for?: string;
  readonly param?: readonly string[];
  readonly config?: string;
  /** Of paper alone. */
  readonly start?: string;
  readonly seed?: string;
  readonly new?: boolean;
  readonly signalFile?: string;
  readonly json?: boolean;
}

export interface RealtimeMode {
  readonly mode: 'paper' | 'live';
  /** Refuses what it can before connecting; returns the key, or null for none. */
  readonly allow: (config: Config) => Credentials | null | Promise<Credentials | null>;
  /** The account name of the session's folder. */
  readonly account: string;
  /** Throws when the key is not of that account. */
  readonly confirm?: (connection: Connection) => Promise<void>;
  /** Warnings before the start; throws to refuse it. */
  readonly check?: (connection: Connection, symbols: readonly string[]) => Promise<readonly string[]>;
  readonly makeVenue: (context: VenueContext, config: Config, random: Random) => VenueParts;
}

export function withRealtimeOptions(command: Command): Command {
  return withDashboardOptions(command)
    .argument('[strategy]', 'strategy file; those of the configuration by default')
    .option('--for <DURATION>', 'stop after this time; else on Ctrl-C')
    .option('--param <k=v>', 'a parameter of the strategy; repeatable', repeated)
    .option('--config <FILE>', 'configuration file')
    .option('--seed <N>', 'seed of the embedded sandbox and of everything random', '1')
    .option('--signal-file <FILE>', 'signals for the strategies: a file of JSON lines that grows')
    .option('--new', 'start a new session even when one was left unfinished');
}

/** What is known before any request. */
interface Prepared {
  readonly config: Config;
  readonly credentials: Credentials | null;
  readonly forMs: number | undefined;
  readonly wish: FolderWish;
  readonly guard: Guard | null;
  readonly types: Promise<readonly string[]>;
  readonly dashboard: DashboardWish | null;
}

/** All refusals come before any request. */
export async function runSession(
  io: CliIo,
  file: string | undefined,
  options: RealtimeCommandOptions,
  mode: RealtimeMode,
  /** Ends it in order, too. */
  over?: Promise<unknown>,
): Promise<CommandResult> {
  const prepared = await prepare(io, file, options, mode);
  const claim = claimSession(prepared.wish);
  try {
    return await runPrepared(io, options, mode, prepared, claim, over);
  } finally {
    claim.release();
  }
}

async function prepare(
  io: CliIo,
  file: string | undefined,
  options: RealtimeCommandOptions,
  { mode, allow, account }: RealtimeMode,
): Promise<Prepared> {
  const loaded = loadConfig(configSource(io, options.config));
  for (const secret of secretsInFile(loaded)) io.err(`warn ${secret}\n`);
  const config = withStart(loaded.config, options.start);
  const credentials = await allow(config);
  const forMs = durationOption('for', options.for);
  const seed = seedOption(options.seed) ?? 1;
  const params = parseParamTexts(options.param ?? []);
  const strategies = await prepareStrategies({ file, params, entries: config.strategies, inRealTime: true });
  const guard = guardOf(entriesOf({ file, entries: config.strategies }), strategies);
  const types = checkTypes(strategies.map((strategy) => strategy.file));
  const root = resolve(io.cwd, config.journal.dir);
  const fresh = options.new === true;
  const { baseUrl: exchange } = config.exchange;
  const wish = {
    root,
    mode,
    strategies,
    seed,
    account,
    exchange,
    publicKey: credentials?.publicKey,
    reporting: config.account.reporting,
    fresh,
    ...leavesOf(io, config, credentials),
  };
  const dashboard = dashboardWish(io, options, loaded, mode === 'paper' && io.isTty);
  return { config, credentials, forMs, wish, guard, types, dashboard };
}

/** The record of a live session for `panic`. */
function leavesOf(io: CliIo, { exchange, reconcile }: Config, key: Credentials | null): Pick<FolderWish, 'leaves'> {
  if (key === null) return {};
  const keyFile = credentialsOf(io.env) === null ? keyFilePath(io.cwd, io.env) : null;
  const lagMs = reconcile.historyLagMs;
  return { leaves: { exchange, keyHash: keyHash(key.publicKey), keyFile, lagMs } };
}

/** Of what takes no effect here. Throws `config_invalid` live: a limit of an unlisted symbol is a typing error. */
function warnOfNothing(
  io: CliIo,
  { mode }: RealtimeMode,
  { risk, simulation: { perpetuals } }: Config,
  symbols: readonly string[],
  { instruments, name }: Connection,
): void {
  if (mode === 'paper')
    for (const warning of perpetualsOfNothing(perpetuals, symbols, instruments, name)) io.err(`warn ${warning}\n`);
  const problems = limitsOfNothing(risk, instruments, name);
  // Without a list of perpetuals nothing can be said of them.
  const isWhole = instruments.all().some(({ market }) => market === 'derivative');
  if (mode === 'live' && isWhole && problems.length > 0)
    throw sessionErrors.make('config_invalid', problems.join('\n  '), {
      problems: problems.map((message) => ({ path: 'risk.symbols', line: null, message })),
    });
  for (const problem of problems) io.err(`warn ${problem}\n`);
}

/** Throws `reporting_unpriced`. */
function requirePriced({ account }: Config, symbols: readonly string[], { instruments, name }: Connection): void {
  const traded = symbols.flatMap((symbol) => instruments.find(symbol) ?? []);
  requireReporting(account.reporting, traded, instruments, name);
}

/** Throws `symbol_unknown_here`, live `symbol_not_listed` where the session that it resumes has something there. */
function symbolsHere({ mode }: RealtimeMode, wish: FolderWish, { instruments, name }: Connection): readonly string[] {
  try {
    return tradedSymbols(wish.strategies, instruments, name);
  } catch (thrown) {
    if (mode === 'live') requireListed(wish, instruments, name);
    throw thrown;
  }
}

async function runPrepared(
  io: CliIo,
  options: RealtimeCommandOptions,
  mode: RealtimeMode,
  { config, credentials, forMs, wish, guard, types, dashboard: dashboardAs }: Prepared,
  claim: SessionClaim,
  over?: Promise<unknown>,
): Promise<CommandResult> {
  const { seed } = wish;
  const ordered = Promise.withResolvers<void>();
  const interrupted = Promise.race([io.interrupted, ordered.promise, ...(over === undefined ? [] : [over])]);
  const random = seededRandom(seed);
  const messages = keptMessages();
  const quiet = options.json === true;
  const starting = createLogger({ level: 'warn', write: io.err });
  const { exchange } = config;
  const connection = await connect({ exchange, credentials, clock: systemClock, random, logger: starting, seed });
  const ends: (() => Promise<void>)[] = [() => connection.close()];
  try {
    await mode.confirm?.(connection);
    const symbols = symbolsHere(mode, wish, connection);
    requireCurrencies(Object.keys(startOption(options.start) ?? {}), connection.instruments.all(), connection.name);
    requirePriced(config, symbols, connection);
    warnOfNothing(io, mode, config, symbols, connection);
    for (const warning of (await mode.check?.(connection, symbols)) ?? []) io.err(`warn ${warning}\n`);
    const { strategies, resumed, ranWith, givesUp, ...folder } = openFolder(wish, systemClock.now());
    claim.passOn(folder.path);
    const begun = { folder, ranWith, fresh: wish.fresh };
    // Live it is refused for what most such sessions leave.
    const hint = mode.mode === 'paper' ? ' (--new starts afresh)' : '';
    if (resumed !== null) io.err(`resuming ${folder.record.id}, which ${resumed}${hint}\n`);
    if (resumed !== null && options.start !== undefined)
      io.err('warn --start is not used: a session that is resumed has what it has; add --new to begin with it\n');
    for (const left of givesUp) io.err(`warn ${left}\n`);
    const logger = createLogger({
      level: 'info',
      file: resolve(folder.path, sessionFiles.log),
      ...(io.isTty && !quiet ? { onLine: messages.add } : { write: io.err }),
    });
    const alerts = new AlertService({
      sinks: sinksOf(config.alerts),
      session: folder.record.id,
      mode: mode.mode,
      clock: systemClock,
      logger,
    });
    const metrics = await measured(config, dashboardAs, { session: folder.record.id, mode: mode.mode });
    const openScreen = io.isTty && !quiet ? (await import('./live-screen.ts')).startLiveScreen : null;
    const rescue = mode.mode === 'live' && credentials !== null ? { exchange, credentials } : null;
    const { stallMs } = config.risk;
    const supervisor = supervised(io, { path: folder.path, stallMs, strategies, rescue, json: quiet, logger });
    ends.push(() => supervisor.stop());
    const served = await serve(io, dashboardAs, {
      folder,
      logger,
      stopSession: ordered.resolve,
      metrics: async () => (await metrics?.metrics.text()) ?? '',
    });
    if (served !== null) ends.unshift(() => served.stop());
    const run = await alerted(alerts, () =>
      runRealtime({
        mode: mode.mode,
        config,
        strategies,
        ...begun,
        connection,
        random,
        seed,
        logger,
        supervisor,
        ...(metrics === null ? {} : { observer: metrics.metrics }),
        ...(served === null ? {} : { remote: served.link }),
        calls: claim.calls,
        ...(options.signalFile === undefined ? {} : { signalFile: resolve(io.cwd, options.signalFile) }),
        makeVenue: (context) => mode.makeVenue(context, config, random),
        until: (clock, failed) => sessionEnd({ clock, forMs, interrupted, failed }),
        standing: limitWarnings,
        onStart: (session) => {
          void types.then((problems) => {
            for (const problem of problems) logger.warn({}, problem);
          });
          alerts.watch(session.engine.executor);
          const leave = watched(io, { session, config, guard, alerts, metrics, logger });
          const close = showSession(io, session, { forMs, messages, quiet, openScreen });
          const detach = served?.attach(session, forMs === undefined ? null : session.startedAt + forMs);
          return () => {
            detach?.();
            leave();
            close();
          };
        },
      }),
    );
    const interest = mode.mode === 'live' ? await readOverdraftInterest(connection, run, logger) : undefined;
    const { result, summary, grave } = realtimeResult(run, interest);
    const next = `Next: npx tidewire report ${summary.files['result'] ?? ''}`;
    const text = `${resultText(io, result)}\nsession     ${folder.path}\n${next}`;
    return { json: summary, text, exit: run.reason === 'error' || grave.length > 0 ? 1 : exitOfLatch(io, run) };
  } finally {
    for (const end of ends) await end();
  }
}

/** 3 after a run that began and ended with its kill switch on. */
function exitOfLatch(io: CliIo, { killed, session }: RealtimeRun): number {
  if (killed === null) return 0;
  const { id } = session.options.folder.record;
  const refused = sessionErrors.make('session_killed', `the kill switch of ${id} is on: ${killed}`, { session: id });
  sayError(io, refused);
  return refused.exit;
}

interface Watched {
  readonly session: RunningSession;
  readonly config: Config;
  readonly guard: Guard | null;
  readonly alerts: AlertService;
  readonly metrics: ServedMetrics | null;
  readonly logger: Logger;
}

/** Observers of a running session: band, outside watcher, metrics, service manager. */
function watched(io: CliIo, { session, config, guard, alerts, metrics, logger }: Watched): Cancel {
  const unhealthy = (): string | null => unhealthyBecause(session);
  const { id } = session.options.folder.record;
  const stops = [
    keepBand(guard, session, logger),
    keepPinging(pingsOf(config.alerts), { clock: systemClock, logger, unhealthy }),
    ...(metrics === null
      ? []
      : [
          metrics.start({
            session,
            options: config.metrics,
            clock: systemClock,
            logger,
            alertsWaiting: () => alerts.waiting,
            say: (address) => io.err(`metrics ${address}\n`),
          }),
        ]),
    tellServiceManager({ env: io.env, clock: systemClock, logger, status: () => `${id}: ${unhealthy() ?? 'trading'}` }),
  ];
  return () => {
    for (const stop of stops.toReversed()) stop();
  };
}

/** Loaded only where somebody can ask for them: they cost a start a tenth of a second. */
async function measured(
  { metrics: { port, otlp } }: Config,
  dashboard: DashboardWish | null,
  labels: Readonly<Record<string, string>>,
): Promise<ServedMetrics | null> {
  if (port === undefined && otlp === undefined && dashboard === null) return null;
  const { serveMetrics } = await import('../../bridge/metrics/start.ts');
  return serveMetrics(systemClock, labels);
}

/** A terminal's screen begins after the link was printed. */
const LINK_MS = 3_000;

async function serve(io: CliIo, wish: DashboardWish | null, what: Omit<StartWish, 'wish'>): Promise<Dashboard | null> {
  if (wish === null) return null;
  const { dashboard, told } = openDashboard(io, { wish, ...what });
  if (io.isTty) {
    const late = Promise.withResolvers<void>();
    const cancel = systemClock.after(LINK_MS, late.resolve);
    await Promise.race([told, late.promise]);
    cancel();
  }
  return dashboard;
}

/** The supervisor ends a session that ignores a signal. */
function supervised(io: CliIo, options: Omit<SuperviseOptions, 'clock'>): Supervisor {
  const supervisor = supervise({ ...options, clock: systemClock });
  void io.interrupted.then(() => supervisor.ending());
  io.onSecondSignal?.(() => supervisor.atOnce());
  return supervisor;
}

const UNCONFIRMED_ACTION =
  'Nobody watches these orders now: cancel them with `tidewire panic`, or start again with the same arguments.';

/** Notifies the sinks of start and end, and waits briefly for them. */
async function alerted(alerts: AlertService, trade: () => Promise<RealtimeRun>): Promise<RealtimeRun> {
  alerts.session('the session begins');
  try {
    const run = await trade();
    if (run.reason === 'error') alerts.page('failed', run.warnings.join('; '), 'Read the log, then start again.');
    else {
      if (run.unconfirmed !== null) alerts.page('end_unconfirmed', run.unconfirmed, UNCONFIRMED_ACTION);
      alerts.session(`the session has ended: ${run.reason}`);
    }
    return run;
  } catch (thrown) {
    alerts.page('failed', messageOf(thrown), 'Read the log, then start again.');
    throw thrown;
  } finally {
    await alerts.close();
  }
}
