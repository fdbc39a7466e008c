/** The main thread's side of its supervisor. */
import { url as inspectorUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import type { PreparedStrategy } from '../strategies.ts';
import type { WatchedStrategy } from './culprit.ts';
import { Pulse } from './pulse.ts';
import type { Rescue } from './rescue.ts';
import type { SupervisedReplay } from './replay-thread.ts';
import { SIGNAL_FLAGS } from './signals.ts';
import { THREAD_FLAGS } from '../thread-flags.ts';
import type { SupervisedSession } from './thread.ts';

const THREAD = new URL('./thread.ts', import.meta.url);
const REPLAY_THREAD = new URL('./replay-thread.ts', import.meta.url);
const BEAT_MS = 100;

export interface SuperviseOptions {
  readonly path: string;
  readonly stallMs: number;
  readonly strategies: readonly PreparedStrategy[];
  readonly rescue: Rescue | null;
  readonly json: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface Supervisor {
  /** Listening, or unavailable. */
  readonly ready: Promise<void>;
  /** From here a stall ends the process. */
  arm(): Cancel;
  /** A signal was received. */
  ending(): void;
  /** After a second signal. */
  atOnce(): void;
  stop(): Promise<void>;
}

function watchedOf(strategies: readonly PreparedStrategy[]): readonly WatchedStrategy[] {
  return strategies.map(({ tag, loaded }) => ({ tag, files: [...loaded.files] }));
}

/** A debugger stops the process on purpose. */
function isDebugged(): boolean {
  return inspectorUrl() !== undefined;
}

/** Without the flags, signals to a stalled main thread wait for the stall limit. */
function startThread(session: SupervisedSession): Worker {
  try {
    return new Worker(THREAD, {
      workerData: session,
      execArgv: [...process.execArgv, ...THREAD_FLAGS, ...SIGNAL_FLAGS],
    });
  } catch {
    return new Worker(THREAD, { workerData: session, execArgv: [...process.execArgv, ...THREAD_FLAGS] });
  }
}

export function supervise(options: SuperviseOptions): Supervisor {
  const { path, stallMs, strategies, rescue, json, clock, logger } = options;
  const pulse = new Pulse();
  const { memory } = pulse;
  const session = { memory, path, stallMs, strategies: watchedOf(strategies), rescue, json };
  const thread = startThread(session);
  thread.unref();
  const ready = Promise.withResolvers<void>();
  thread.once('message', () => ready.resolve());
  thread.on('error', (thrown) => {
    logger.error({ reason: messageOf(thrown) }, 'this session has lost its supervisor');
    ready.resolve();
  });
  return {
    ready: ready.promise,
    arm: () => {
      const stop = clock.every(BEAT_MS, () => pulse.beat());
      pulse.beat();
      pulse.set('armed', !isDebugged());
      return () => {
        pulse.set('armed', false);
        stop();
      };
    },
    ending: () => pulse.set('ending', true),
    atOnce: () => pulse.set('atOnce', true),
    stop: async () => void (await thread.terminate()),
  };
}

export interface ReplaySupervisor {
  readonly steps: Int32Array;
  stop(): Promise<void>;
}

/** Loading may hang too. */
export function superviseReplay(strategies: readonly WatchedStrategy[]): ReplaySupervisor {
  const { memory } = new Pulse();
  const thread = new Worker(REPLAY_THREAD, {
    workerData: { memory, strategies } satisfies SupervisedReplay,
    execArgv: [...process.execArgv, ...THREAD_FLAGS],
  });
  thread.unref();
  thread.on('error', () => {});
  return { steps: memory, stop: async () => void (await thread.terminate()) };
}
