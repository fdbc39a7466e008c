/** Pushes metrics to an OpenTelemetry collector over HTTP: one push at a time, bounded, never tried again. */
import { request } from 'undici';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { parseDuration } from '../../model/time.ts';
import { codeOf } from '../../session/alerts/failure-code.ts';
import type { OtlpOptions } from '../../session/config/bridge-options.ts';
import { otlpRequest } from './otlp.ts';
import type { SessionMetrics } from './session-metrics.ts';

const ANSWER_MS_MAX = 10_000;

export interface OtlpDeps {
  readonly metrics: Pick<SessionMetrics, 'rows'>;
  readonly clock: Pick<Clock, 'now' | 'every'>;
  readonly logger: Logger;
}

export function pushOtlp({ url, every, headers }: OtlpOptions, { metrics, clock, logger }: OtlpDeps): Cancel {
  const startedAt = clock.now();
  let isBusy = false;
  let hasFailed = false;
  const push = async (): Promise<void> => {
    isBusy = true;
    const body = JSON.stringify(otlpRequest(await metrics.rows(), { startedAt, now: clock.now() }));
    const failure = await post(url, headers, body);
    isBusy = false;
    if (failure !== null && !hasFailed) logger.warn({}, `the metrics collector was not reached: ${failure}`);
    hasFailed = failure !== null;
  };
  return clock.every(parseDuration(every), () => {
    if (!isBusy) void push();
  });
}

/** Null, or why not. */
async function post(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<string | null> {
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    answer.body.dump().catch(() => {});
    return answer.statusCode >= 200 && answer.statusCode <= 299 ? null : `status ${answer.statusCode}`;
  } catch (thrown) {
    return codeOf(thrown);
  }
}
