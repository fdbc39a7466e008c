/**
 * A dead man's handle: pings an outside watcher while the session is healthy, and stops otherwise. One ping at a time,
 * bounded, never retried. Nothing waits for it.
 */
import { request } from 'undici';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { parseDuration } from '../../model/time.ts';
import { codeOf } from './failure-code.ts';
import type { PingOptions } from './options.ts';

const LOOK_MS = 1_000;
const ANSWER_MS_MAX = 10_000;

export interface PingDeps {
  readonly clock: Pick<Clock, 'every' | 'now'>;
  readonly logger: Logger;
  /** Null: healthy; else why not. */
  readonly unhealthy: () => string | null;
}

export function keepPinging(pings: readonly PingOptions[], deps: PingDeps): Cancel {
  const stops = pings.map((ping, index) => pinging(ping, `ping ${index + 1}`, deps));
  return () => {
    for (const stop of stops) stop();
  };
}

/** An unhealthy session that heals pings at its next look. */
function pinging({ url, every }: PingOptions, name: string, { clock, logger, unhealthy }: PingDeps): Cancel {
  const everyMs = parseDuration(every);
  let dueAt = clock.now();
  let isBusy = false;
  let hasFailed = false;
  let isSilent = false;
  const send = async (): Promise<void> => {
    isBusy = true;
    const failure = await get(url, Math.min(everyMs, ANSWER_MS_MAX));
    isBusy = false;
    if (failure !== null && !hasFailed) logger.warn({ ping: name }, `the outside watcher was not reached: ${failure}`);
    hasFailed = failure !== null;
  };
  return clock.every(LOOK_MS, () => {
    const now = clock.now();
    if (isBusy || now < dueAt) return;
    const reason = unhealthy();
    if (reason !== null && !isSilent) logger.warn({ ping: name }, `the outside watcher gets no ping: ${reason}`);
    isSilent = reason !== null;
    if (isSilent) return;
    dueAt = now + everyMs;
    void send();
  });
}

async function get(url: string, withinMs: number): Promise<string | null> {
  try {
    const answer = await request(url, { signal: AbortSignal.timeout(withinMs) });
    answer.body.dump().catch(() => {});
    return answer.statusCode >= 200 && answer.statusCode <= 299 ? null : `status ${answer.statusCode}`;
  } catch (thrown) {
    return codeOf(thrown);
  }
}
