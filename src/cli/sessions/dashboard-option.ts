/** `--dashboard [PORT]` and `--no-dashboard`: what is wanted, checked before any request, and its start. */
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { LEDGER_PATH } from '../../research/ledger/trial-ledger.ts';
import { progressFolder } from '../../research/sweep/progress/progress-file.ts';
import { tidewireVersion } from '../../session/store/build.ts';
import { MASK } from '../../session/config/mask.ts';
import { hiddenValues, shownConfig } from '../../session/config/show.ts';
import type { LoadedConfig } from '../../session/config/load.ts';
import { sessionErrors } from '../../session/errors.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import type { Logger } from '../../model/ports.ts';
import { telegramsOf } from '../../session/alerts/options.ts';
import type { ServerTask } from '../../bridge/server/bridge-server.ts';
import { requireReady } from '../../bridge/server/listen.ts';
import { Tokens } from '../../bridge/server/tokens.ts';
import { keepToken } from '../../bridge/thread/address-file.ts';
import { startDashboard, type Dashboard } from '../../bridge/thread/dashboard.ts';
import type { CliIo } from '../command.ts';

export interface DashboardFlags {
  /** True: the port of the configuration; false: --no-dashboard. */
  readonly dashboard?: string | boolean;
  readonly behindProxy?: boolean;
}

export const TOKEN_VARIABLE = 'TIDEWIRE_DASHBOARD_TOKEN';

export function withDashboardOptions(command: Command): Command {
  return command
    .option('--dashboard [PORT]', 'serve the dashboard: on this port or the next free one; 0: any')
    .option('--no-dashboard', 'do not serve it')
    .option('--behind-proxy', 'a proxy before the dashboard encrypts (dashboard.public)');
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  const what = `--dashboard ${text} is not a port; put it after the strategy, or write --dashboard=PORT`;
  throw sessionErrors.make('bad_option', what, { option: 'dashboard' });
}

/** What a server needs beside its token. */
export type DashboardWish = Omit<ServerTask, 'secret'> & { readonly given: string | null };

/** Null: none is wanted. Throws `dashboard_exposed`, `dashboard_tls`, `dashboard_token`, `bad_option`. */
export function dashboardWish(
  io: CliIo,
  { dashboard: flag, behindProxy = false }: DashboardFlags,
  loaded: LoadedConfig,
  isAuto: boolean,
): DashboardWish | null {
  const { dashboard, journal, recording, account, signals, alerts } = loaded.config;
  const telegram = telegramsOf(alerts).filter(({ commands }) => commands);
  const comesIn = [
    ...(Object.keys(signals).length > 0 ? ['signals'] : []),
    ...(telegram.length > 0 ? ['commands by Telegram'] : []),
  ];
  // They come in by the thread that serves the dashboard.
  const auto = dashboard.on === 'auto' ? isAuto || comesIn.length > 0 : dashboard.on;
  if (flag === false || (flag === undefined && !auto)) {
    if (comesIn.length > 0) io.err(`warn without the dashboard no ${comesIn.join(' and ')} come in\n`);
    return null;
  }
  const { tls } = dashboard;
  const listen = {
    host: dashboard.host,
    port: typeof flag === 'string' ? portOf(flag) : dashboard.port,
    orNext: true,
    tls: tls === undefined ? null : { certificate: resolve(io.cwd, tls.certificate), key: resolve(io.cwd, tls.key) },
    behindProxy: dashboard.public && behindProxy,
  };
  requireReady(listen);
  // As it is written: a variable of digits is no number.
  const given = io.env[TOKEN_VARIABLE] ?? (dashboard.token === 'auto' ? null : dashboard.token);
  // Refuses a short one.
  if (given !== null) new Tokens(given);
  const root = resolve(io.cwd, journal.dir);
  return {
    root,
    currency: account.reporting,
    ownTradeSide: loaded.config.exchange.ownTradeSide,
    listen,
    names: dashboard.names,
    given,
    version: tidewireVersion(),
    settings: settingsOf(loaded),
    resultFolders: [...new Set([resolve(io.cwd), resolve(io.cwd, 'results'), resolve(dirname(root), 'results')])],
    sweepFolders: [...new Set([progressFolder(resolve(io.cwd, LEDGER_PATH)), resolve(dirname(root), 'sweeps')])],
    recordingFolders: [resolve(io.cwd, recording.dir)],
    signals,
    telegram,
  };
}

/** A shorter value is no secret, and may stand in many. */
const SECRET_MIN = 8;

/** Without secrets, also where one stands inside another value, such as the address of a webhook. */
function settingsOf(loaded: LoadedConfig): ServerTask['settings'] {
  const hidden = hiddenValues(loaded).filter(({ length }) => length >= SECRET_MIN);
  return shownConfig(loaded).map(({ path, value, layer }) => {
    const shown = hidden.reduce(
      (text, secret) => text.replaceAll(quoted(secret), MASK),
      JSON.stringify(value) ?? 'null',
    );
    return { path, value: JSON.parse(shown) as unknown, layer, about: null };
  });
}

/** As it stands within JSON text. */
function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export interface StartWish {
  readonly wish: DashboardWish;
  readonly folder: SessionFolder;
  readonly logger: Logger;
  readonly stopSession: () => void;
  readonly metrics: () => Promise<string>;
}

/** Resolves `told` when the link was printed, or the server has failed. */
export function openDashboard(
  io: CliIo,
  { wish: { given, ...task }, folder, logger, stopSession, metrics }: StartWish,
): { readonly dashboard: Dashboard; readonly told: Promise<void> } {
  const told = Promise.withResolvers<void>();
  const say = (line: string): void => {
    io.err(`${line}\n`);
    told.resolve();
  };
  const dashboard = startDashboard({
    task: { ...task, secret: keepToken(folder.path, given) },
    folder,
    clock: systemClock,
    logger,
    listening: (link) => say(`dashboard ${link}`),
    failed: (message) => say(`warn no dashboard: ${message}`),
    stopSession,
    metrics,
  });
  return { dashboard, told: told.promise };
}
