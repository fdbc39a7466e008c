/** Entry of the server's thread. It ends with its process, or when it is asked to. */
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { PageCall, PageRead } from '../../exchange/client/page-read.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import type { Logger } from '../../model/ports.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { bridgeErrors } from '../errors.ts';
import { remoteLink } from '../fleet/remote-link.ts';
import { startServer, type BridgeServer, type ServerTask } from '../server/bridge-server.ts';
import { startBot } from '../telegram/start-bot.ts';
import { DurableMark } from './durable-mark.ts';
import type { ToServer, ToSession } from './messages.ts';
import { ParentLink } from './parent-link.ts';

export interface ThreadTask {
  readonly task: ServerTask;
  readonly folder: SessionFolder;
  readonly memory: Int32Array<SharedArrayBuffer>;
}

/** Interval of journal checks: while a client follows, without one, and after a failure. */
const REST_MS = { followed: 10, alone: 250, failed: 5_000 } as const;
const WAIT_MS = 1_000;
/** A tenth of the session's share of a core that both want: a command still gets through. */
const NICE = 10;

const { task, folder, memory } = workerData as ThreadTask;
const port = parentPort!;
const post = (message: ToSession): void => port.postMessage(message);

function logger(bindings: object = {}): Logger {
  const at = (level: 'info' | 'warn' | 'error') => (fields: object, message?: string) =>
    post({ kind: 'log', level, fields: { ...bindings, ...fields }, message: message ?? '' });
  return {
    debug: () => {},
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (more) => logger({ ...bindings, ...more }),
  };
}

const log = logger({ of: 'dashboard' });
const link = new ParentLink(post, systemClock);
const mark = new DurableMark(memory);
let isAttached = false;
let isOver = false;

async function run(): Promise<void> {
  stepBack();
  const server = await startServer({
    task,
    own: { folder, link: () => (isAttached ? link : null) },
    linkTo: remoteLink,
    exchange: { ownTradeSide: task.ownTradeSide, read: readBySession },
    clock: systemClock,
    logger: log,
  });
  const stopBots = (task.telegram ?? []).map((telegram) => startBot(server.fleet, telegram, systemClock, log));
  port.on('message', (message: ToServer) => {
    if (message.kind === 'stop') for (const stop of stopBots) stop();
    hear(server, message);
  });
  post({ kind: 'listening', url: server.url, port: server.port });
  await follow(server);
}

async function readBySession(call: PageCall): Promise<PageRead | null> {
  if (!isAttached) return null;
  const told = await link.ask({ kind: 'exchange', call });
  return told?.kind === 'exchange' ? told.read : null;
}

function hear(server: BridgeServer, message: ToServer): void {
  const own = server.fleet.own!;
  link.hear(message);
  if (message.kind === 'live') own.watch.hear(message.part);
  else if (message.kind === 'market') own.watch.hearMarket(message);
  else if (message.kind === 'attached') {
    isAttached = true;
    own.watch.changed(true);
  } else if (message.kind === 'detached') isAttached = false;
  else if (message.kind === 'stop') {
    isOver = true;
    // What has become durable at the end still goes out.
    catchUp(server);
    void server.close().then(() => post({ kind: 'stopped' }));
  }
}

async function follow(server: BridgeServer): Promise<void> {
  let known = 0;
  while (!isOver) {
    await mark.changed(known, WAIT_MS);
    if (isOver) return;
    known = mark.seq;
    const isRead = catchUp(server);
    const rest = Promise.withResolvers<void>();
    const restMs = !isRead ? REST_MS.failed : server.fleet.own!.isWatched ? REST_MS.followed : REST_MS.alone;
    systemClock.after(restMs, rest.resolve);
    await rest.promise;
  }
}

/** False: it cannot be read. */
function catchUp(server: BridgeServer): boolean {
  try {
    server.fleet.own!.catchUp();
    return true;
  } catch (thrown) {
    log.error({ reason: messageOf(thrown) }, 'the journal cannot be followed');
    return false;
  }
}

/**
 * Where both threads want one core the session goes first. On Linux the priority is of the calling thread alone (nice of
 * /proc/self/task shows it), elsewhere of the process, so that it stays there.
 */
function stepBack(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(NICE);
  } catch {
    // Then they share.
  }
}

run().catch((thrown: unknown) => {
  const error = isTidewireError(thrown) ? thrown : bridgeErrors.make('bridge_internal', messageOf(thrown));
  post({ kind: 'failed', code: error.code, message: error.message, remedy: error.remedy });
});
