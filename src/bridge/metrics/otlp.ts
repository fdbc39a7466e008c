/**
 * Metrics as the JSON of OTLP: `ExportMetricsServiceRequest` in the JSON mapping of its protocol buffers, where 64-bit
 * integers are text. Cumulative since the start of the session.
 */
import type { MetricRows } from './session-metrics.ts';

type Row = MetricRows[number];
type Value = Row['values'][number] & { readonly metricName?: string };

const CUMULATIVE = 2;
const NANOS_PER_MS = 1_000_000n;

export interface OtlpTimes {
  /** Unix ms. */
  readonly startedAt: number;
  readonly now: number;
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue: string };
}

interface PointTimes {
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
}

export function otlpRequest(rows: MetricRows, { startedAt, now }: OtlpTimes): object {
  const times = { startTimeUnixNano: nanos(startedAt), timeUnixNano: nanos(now) };
  return {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'tidewire' }) },
        scopeMetrics: [{ scope: { name: 'tidewire' }, metrics: rows.flatMap((row) => metricOf(row, times)) }],
      },
    ],
  };
}

function nanos(ms: number): string {
  return String(BigInt(Math.floor(ms)) * NANOS_PER_MS);
}

function attributesOf(labels: Readonly<Record<string, unknown>>): readonly Attribute[] {
  return Object.entries(labels).map(([key, value]) => ({ key, value: { stringValue: String(value) } }));
}

/** Empty for one without values. */
function metricOf(row: Row, times: PointTimes): readonly object[] {
  if (row.values.length === 0) return [];
  const about = { name: row.name, description: row.help, unit: row.name.endsWith('_seconds') ? 's' : '1' };
  // The type is text at run time and an enum in the declarations.
  const type = String(row.type);
  if (type === 'histogram') {
    const dataPoints = histogramPoints(row, times);
    return [{ ...about, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }];
  }
  const dataPoints = row.values.map(({ labels, value }) => ({
    attributes: attributesOf(labels),
    ...times,
    asDouble: value,
  }));
  if (type === 'counter')
    return [{ ...about, sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } }];
  return [{ ...about, gauge: { dataPoints } }];
}

interface Series {
  readonly attributes: readonly Attribute[];
  /** Upper bound and how many are at or below it. */
  readonly buckets: { readonly bound: number; readonly count: number }[];
  sum: number;
  count: number;
}

function histogramPoints({ name, values }: Row, times: PointTimes): readonly object[] {
  const series = new Map<string, Series>();
  for (const { labels, value, metricName } of values as readonly Value[]) {
    const { le, ...rest }: Readonly<Record<string, unknown>> = labels;
    const key = JSON.stringify(rest);
    const one = series.get(key) ?? { attributes: attributesOf(rest), buckets: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (le !== '+Inf') one.buckets.push({ bound: Number(le), count: value });
  }
  return [...series.values()].map(({ attributes, buckets, sum, count }) => ({
    attributes,
    ...times,
    count: String(count),
    sum,
    explicitBounds: buckets.map(({ bound }) => bound),
    // Prometheus adds up, OTLP does not.
    bucketCounts: [...buckets, { count }].map((bucket, index) =>
      String(bucket.count - (buckets[index - 1]?.count ?? 0)),
    ),
  }));
}
