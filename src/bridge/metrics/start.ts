/** Shows the metrics of a running session where the configuration wants them: a loopback port, a collector. */
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import type { MetricsOptions } from '../../session/config/bridge-options.ts';
import type { RunningSession } from '../../session/store/running-session.ts';
import { takeSnapshot } from '../../session/view/take-snapshot.ts';
import { pushOtlp } from './otlp-push.ts';
import { serveScrapes } from './scrape-server.ts';
import { SessionMetrics } from './session-metrics.ts';

const COUNT_MS = 1_000;

export interface MetricsDeps {
  readonly session: RunningSession;
  readonly options: MetricsOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Messages of alerts that wait. */
  readonly alertsWaiting: () => number;
  /** Gets the address once it listens. */
  readonly say: (address: string) => void;
}

/** What a session's entries are counted by, before it runs. */
export interface ServedMetrics {
  readonly metrics: SessionMetrics;
  /** Shows them where the configuration wants them. */
  readonly start: (deps: MetricsDeps) => Cancel;
}

/** @param labels of every series */
export function serveMetrics(clock: Pick<Clock, 'now'>, labels: Readonly<Record<string, string>>): ServedMetrics {
  const metrics = new SessionMetrics(clock, labels);
  return { metrics, start: (deps) => start(metrics, deps) };
}

function start(metrics: SessionMetrics, { session, options, clock, logger, alertsWaiting, say }: MetricsDeps): Cancel {
  const { http } = session.options.connection.exchange;
  metrics.show({
    snapshot: () => takeSnapshot(session, { endsAt: null, messages: [] }),
    counts: () => ({
      requests: http.pending,
      alerts: alertsWaiting(),
      undecoded: session.stream.counts.decodeFailures,
    }),
  });
  const stops = [clock.every(COUNT_MS, () => metrics.count())];
  if (options.otlp !== undefined) stops.push(pushOtlp(options.otlp, { metrics, clock, logger }));
  if (options.port !== undefined) {
    const server = serveScrapes(options.port, metrics, logger);
    void server.port.then((port) => {
      if (port !== null) say(`http://127.0.0.1:${port}/metrics`);
    });
    stops.push(() => void server.close());
  }
  return () => {
    for (const stop of stops) stop();
  };
}
