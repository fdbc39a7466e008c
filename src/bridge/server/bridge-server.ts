/** The whole server, in whichever thread: fleet, API, page and stream behind one gatekeeper. */
import { getRequestListener } from '@hono/node-server';
import type { OwnTradeSide } from '../../exchange/own-trade-side.ts';
import type { Clock, Logger } from '../../model/ports.ts';
import type { TelegramOptions } from '../../session/alerts/options.ts';
import type { SignalOptions } from '../../session/config/bridge-options.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { messageOf } from '../../model/errors.ts';
import { bridgeErrors } from '../errors.ts';
import { Fleet } from '../fleet/fleet.ts';
import type { SessionLink } from '../fleet/session-link.ts';
import type { ExchangePort } from '../operations-table/exchange-port.ts';
import { routesOf } from '../routes/routes.ts';
import { SignalDoor } from '../signals/door.ts';
import type { BridgeContext } from '../routes/context.ts';
import type { SettingsAnswer } from '../schemas/research.ts';
import { StreamServer } from '../stream/stream-server.ts';
import { Allowed } from './allowed.ts';
import { createApp, responseOf } from './app.ts';
import { errorAnswerOf } from './error-answer.ts';
import { Gatekeeper } from './gatekeeper.ts';
import { listen, onRequest, type ListenWish } from './listen.ts';
import { dashboardFolder, StaticFiles } from './static-files.ts';
import { Tokens } from './tokens.ts';

/** Plain data: it crosses to a thread. */
export interface ServerTask {
  readonly root: string;
  readonly currency: string;
  /** Of the configuration, `exchange.ownTradeSide`. */
  readonly ownTradeSide: OwnTradeSide;
  readonly listen: ListenWish;
  /** More names that it answers to. */
  readonly names: readonly string[];
  /** Token of `operate`. */
  readonly secret: string;
  readonly version: string;
  readonly settings: SettingsAnswer['settings'];
  readonly resultFolders: readonly string[];
  /** Of the progress of searches. */
  readonly sweepFolders: readonly string[];
  readonly recordingFolders: readonly string[];
  /** What comes in over the network, for the session of this process. */
  readonly signals?: SignalOptions;
  readonly telegram?: readonly TelegramOptions[];
}

export interface ServerDeps {
  readonly task: ServerTask;
  readonly own: { readonly folder: SessionFolder; readonly link: () => SessionLink | null } | null;
  readonly linkTo: (folder: SessionFolder) => SessionLink | null;
  /** Null: none is configured. */
  readonly exchange: ExchangePort | null;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface BridgeServer {
  readonly url: string;
  readonly port: number;
  readonly fleet: Fleet;
  close(): Promise<void>;
}

/** Sessions of other processes are checked this often while a client follows them. */
const FOLLOW_MS = 250;

/** Throws `dashboard_exposed`, `dashboard_tls`, `dashboard_port`, `dashboard_token`. */
export async function startServer({ task, own, linkTo, exchange, clock, logger }: ServerDeps): Promise<BridgeServer> {
  const tokens = new Tokens(task.secret);
  const fleet = new Fleet({ root: task.root, currency: task.currency, clock, own, linkTo });
  const listening = await listen(task.listen);
  const { server, port, trust } = listening;
  const { host, tls, behindProxy } = task.listen;
  const secure = tls !== null;
  const allowed = new Allowed({ host, port, secure, behindProxy, names: task.names });
  // Cookies do not distinguish ports.
  const gatekeeper = new Gatekeeper({ tokens, allowed, clock, cookieName: `tidewire_${port}` });
  const stream = new StreamServer({ server, fleet, gatekeeper, clock, logger });
  const context: BridgeContext = {
    fleet,
    tokens,
    cookieName: gatekeeper.cookieName,
    isEncrypted: (asked) => allowed.isEncrypted(asked),
    clock,
    logger,
    version: task.version,
    startedAt: clock.now(),
    settings: task.settings,
    resultFolders: task.resultFolders,
    sweepFolders: task.sweepFolders,
    recordingFolders: task.recordingFolders,
    exchange,
    signals: new SignalDoor(task.signals ?? {}, clock),
    clients: () => stream.clients,
  };
  const files = new StaticFiles(dashboardFolder());
  const app = createApp({ routes: routesOf(context), gatekeeper, files, clock, logger, trust });
  const handle = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    autoCleanupIncoming: false,
    // Of what it cannot take for a request.
    errorHandler: (thrown) => {
      const message = `the address or the Host cannot be read: ${messageOf(thrown)}`;
      return responseOf(errorAnswerOf(bridgeErrors.make('bridge_bad_request', message, { field: 'request' })));
    },
  });
  onRequest(server, (incoming, outgoing) => void handle(incoming, outgoing));
  const stopFollowing = clock.every(FOLLOW_MS, () => follow(fleet));
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return {
    url: `${secure ? 'https' : 'http'}://${shown}:${port}`,
    port,
    fleet,
    close: async () => {
      stopFollowing();
      stream.close();
      await listening.close();
      fleet.close();
    },
  };
}

function follow(fleet: Fleet): void {
  for (const view of fleet.open) {
    if (!view.isWatched) continue;
    try {
      view.catchUp();
    } catch {
      // The request that reads it says why.
    }
  }
}
