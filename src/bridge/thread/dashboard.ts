/**
 * A session's side of its server: starts the thread, says where it listens, and connects the session once it runs. A
 * server that fails is reported and ends nothing.
 */
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import type { RemoteLink } from '../../session/remote/remote-link.ts';
import type { RunningSession } from '../../session/store/running-session.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { THREAD_FLAGS } from '../../session/thread-flags.ts';
import { LivePump } from '../live/live-pump.ts';
import type { ServerTask } from '../server/bridge-server.ts';
import { dropAddress, writeAddress } from './address-file.ts';
import { DurableMark } from './durable-mark.ts';
import type { ToServer, ToSession } from './messages.ts';

export interface DashboardOptions {
  readonly task: ServerTask;
  readonly folder: SessionFolder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called once, with the link that opens the page, when it listens. */
  readonly listening: (link: string) => void;
  readonly failed: (message: string) => void;
  readonly stopSession: () => void;
  /** Prometheus text of the session. */
  readonly metrics: () => Promise<string>;
}

export interface Dashboard {
  readonly link: RemoteLink;
  attach(session: RunningSession, endsAt: number | null): Cancel;
  stop(): Promise<void>;
}

const STOP_MS = 2_000;

export function startDashboard(options: DashboardOptions): Dashboard {
  const { task, folder, clock, logger, stopSession, metrics } = options;
  const mark = new DurableMark();
  const thread = new Worker(new URL('./server-thread.ts', import.meta.url), {
    workerData: { task, folder, memory: mark.memory },
    execArgv: [...process.execArgv, ...THREAD_FLAGS],
  });
  thread.unref();
  let pump: LivePump | null = null;
  let isOver = false;
  const stopped = Promise.withResolvers<void>();
  const post = (message: ToServer): void => thread.postMessage(message);
  thread.on('message', (message: ToSession) => {
    if (message.kind === 'listening') {
      writeAddress(folder, message.url, task.listen.tls?.certificate ?? null);
      options.listening(`${message.url}/#token=${task.secret}`);
    } else if (message.kind === 'failed') options.failed(`${message.code}: ${message.message}\n  ${message.remedy}`);
    else if (message.kind === 'log') logger[message.level](message.fields, message.message);
    else if (message.kind === 'stopped') stopped.resolve();
    else pump?.hear(message);
  });
  thread.on('error', (thrown) => {
    logger.error({ reason: messageOf(thrown) }, 'the dashboard has failed; the session continues without it');
    stopped.resolve();
  });
  thread.on('exit', () => {
    if (!isOver) dropAddress(folder.path);
    stopped.resolve();
  });
  return {
    link: { appended: mark.set, stopSession },
    attach: (session, endsAt) => {
      pump = new LivePump({ session, endsAt, clock, post, metrics });
      post({ kind: 'attached' });
      return () => {
        pump?.stop();
        pump = null;
        post({ kind: 'detached' });
      };
    },
    stop: async () => {
      isOver = true;
      dropAddress(folder.path);
      post({ kind: 'stop' });
      const cancel = clock.after(STOP_MS, stopped.resolve);
      await stopped.promise;
      cancel();
      await thread.terminate();
    },
  };
}
