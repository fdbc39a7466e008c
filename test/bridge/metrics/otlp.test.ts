/** OTLP against the published protocol buffers, and pushed to a real HTTP server. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pushOtlp } from '../../../src/bridge/metrics/otlp-push.ts';
import { otlpRequest } from '../../../src/bridge/metrics/otlp.ts';
import { SessionMetrics } from '../../../src/bridge/metrics/session-metrics.ts';
import { HandClock } from '../../execution/rig.ts';
import { published, strangers } from './otlp/published.ts';
import { lines } from './lines.ts';

interface Point {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
  readonly count: string;
  readonly sum: number;
  readonly bucketCounts: readonly string[];
  readonly explicitBounds: readonly number[];
  readonly asDouble: number;
}
interface Metric {
  readonly name: string;
  readonly sum?: { readonly isMonotonic: boolean; readonly dataPoints: readonly Point[] };
  readonly gauge?: { readonly dataPoints: readonly Point[] };
  readonly histogram?: { readonly dataPoints: readonly Point[] };
}

const metricsOf = (request: object): readonly Metric[] =>
  (request as { resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[] }).resourceMetrics[0]!.scopeMetrics[0]!
    .metrics;

function metricsWith(secondsOfCommits: readonly number[]): SessionMetrics {
  const metrics = new SessionMetrics(new HandClock(), { session: 'paper-1' });
  for (const [index, seconds] of secondsOfCommits.entries())
    metrics.committed({ lastSeq: index + 1, ts: 1_000, entries: [], startedUs: 0, endedUs: seconds * 1e6 });
  return metrics;
}

test('bridge/otlp/what is sent is a request of the published schema', async () => {
  const metrics = metricsWith([0.00002, 0.3, 7]);
  metrics.committed({
    lastSeq: 4,
    ts: 1_000,
    startedUs: 1_000_200,
    endedUs: 1_000_300,
    entries: [{ kind: 'denial', strategy: 'a', action: 'place', reason: 'killed', message: 'm' }],
  });
  const request = otlpRequest(await metrics.rows(), { startedAt: 1_767_225_600_000.5, now: 1_767_225_601_000 });
  expect(strangers(published, request)).toEqual([]);
  const message = published.fromObject(request);
  expect(published.verify(message)).toBeNull();
  // All of it survives the wire form, so nothing was dropped as unknown.
  const back = published.toObject(published.decode(published.encode(message).finish()), { longs: String });
  expect(metricsOf(back).map(({ name }) => name)).toEqual(metricsOf(request).map(({ name }) => name));
  const denials = metricsOf(back).find(({ name }) => name === 'tidewire_denials_total');
  expect(denials?.sum?.isMonotonic).toBe(true);
  expect(denials?.sum?.dataPoints.map(({ asDouble }) => asDouble)).toEqual([1]);
});

test('bridge/otlp/a document that is not of the schema is found', async () => {
  const request = otlpRequest(await metricsWith([1]).rows(), { startedAt: 0, now: 1 });
  const text = JSON.stringify(request);
  for (const [from, to] of [
    ['"bucketCounts"', '"bucket_counts"'],
    ['"timeUnixNano":"1000000"', '"timeUnixNano":1000000'],
    ['"aggregationTemporality":2', '"aggregationTemporality":9'],
  ] as const)
    expect(strangers(published, JSON.parse(text.replace(from, to)) as object), from).toHaveLength(1);
});

test('bridge/otlp/a bucket holds what lies between its bounds, and all of them every observation', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5_000_000 }), { maxLength: 40 }), async (us) => {
      const request = otlpRequest(await metricsWith(us.map((each) => each / 1e6)).rows(), { startedAt: 0, now: 1 });
      const [point] = metricsOf(request).find(({ name }) => name === 'tidewire_journal_commit_seconds')!.histogram!
        .dataPoints;
      if (point === undefined) throw new Error('no point');
      const bounds = [0, ...point.explicitBounds, Number.POSITIVE_INFINITY];
      const isIn = (each: number, index: number): boolean =>
        each / 1e6 <= bounds[index + 1]! && (index === 0 || each / 1e6 > bounds[index]!);
      expect(point.bucketCounts.map(Number)).toEqual(
        point.bucketCounts.map((_, index) => us.filter((each) => isIn(each, index)).length),
      );
      expect(point.count).toBe(String(us.length));
    }),
    { numRuns: 30 },
  );
});

test('bridge/otlp/pushes while the collector answers, is silent about one that does not, and shows no key', async () => {
  const got: { readonly url: string | undefined; readonly key: unknown; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      got.push({ url: request.url, key: request.headers['x-key'], body });
      response.writeHead(got.length === 1 ? 200 : 503).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = new HandClock();
  const logger = lines();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`;
  const stop = pushOtlp(
    { url, every: '1s', headers: { 'x-key': 'secret-of-the-collector' } },
    { metrics: metricsWith([1]), clock, logger },
  );
  const pushed = async (count: number): Promise<void> => {
    clock.advance(1_000);
    await expect.poll(() => got.length).toBe(count);
  };
  await pushed(1);
  await expect.poll(async () => (clock.advance(1_000), got.length)).toBeGreaterThanOrEqual(2);
  await expect.poll(() => logger.text.length).toBeGreaterThan(0);
  await expect.poll(async () => (clock.advance(1_000), got.length)).toBeGreaterThanOrEqual(4);
  stop();
  server.close();
  server.closeAllConnections();
  expect(got[0]).toMatchObject({ url: '/v1/metrics', key: 'secret-of-the-collector' });
  expect(strangers(published, JSON.parse(got[0]!.body) as object)).toEqual([]);
  // Once, however often it fails.
  expect(logger.text).toEqual(['the metrics collector was not reached: status 503']);
});
