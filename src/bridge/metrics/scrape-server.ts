/** The session's side of its scrape thread: `/metrics` on a loopback port of its own, without a token. */
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { messageOf } from '../../model/errors.ts';
import type { Logger } from '../../model/ports.ts';
import { THREAD_FLAGS } from '../../session/thread-flags.ts';
import { SessionMetrics } from './session-metrics.ts';

const THREAD = new URL('./scrape-thread.ts', import.meta.url);

const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('asked') }),
  z.object({ kind: z.literal('listening'), port: z.number() }),
  z.object({ kind: z.literal('failed'), code: z.string() }),
]);

export interface ScrapeServer {
  /** The port it listens at; null where it cannot, which is logged: a session trades on without it. */
  readonly port: Promise<number | null>;
  close(): Promise<void>;
}

/** @param port 0: any free one */
export function serveScrapes(port: number, metrics: Pick<SessionMetrics, 'text'>, logger: Logger): ScrapeServer {
  const listening = Promise.withResolvers<number | null>();
  const thread = new Worker(THREAD, {
    workerData: { port, contentType: SessionMetrics.contentType },
    execArgv: [...process.execArgv, ...THREAD_FLAGS],
  });
  thread.unref();
  const fail = (reason: string): void => {
    logger.error({ port, reason }, 'metrics are not served');
    listening.resolve(null);
  };
  const answer = async (): Promise<void> => {
    try {
      thread.postMessage(await metrics.text());
    } catch (thrown) {
      logger.error({ reason: messageOf(thrown) }, 'metrics could not be made');
    }
  };
  thread.on('message', (told: unknown) => {
    const parsed = message.parse(told);
    if (parsed.kind === 'asked') void answer();
    else if (parsed.kind === 'listening') listening.resolve(parsed.port);
    else fail(parsed.code);
  });
  thread.on('error', (thrown) => fail(messageOf(thrown)));
  thread.on('exit', () => listening.resolve(null));
  return { port: listening.promise, close: async () => void (await thread.terminate()) };
}
