/** The intervals of a candle strategy and the warm-up of each. Answers are sentences where a definition is wrong. */
import { parseDuration } from '../../model/time.ts';
import { describe } from '../action-shape.ts';
import type { CandleFrame } from '../definition.ts';

type Interval = Omit<CandleFrame, 'warmup'>;

/** The longest first. */
export function candleIntervals(spec: {
  readonly interval?: unknown;
  readonly intervals?: unknown;
}): readonly Interval[] | string {
  const { interval, intervals } = spec;
  if (interval !== undefined && intervals !== undefined) return 'give either interval or intervals';
  const texts: readonly unknown[] = Array.isArray(intervals) ? intervals : [interval];
  if (texts.length === 0) return 'intervals is empty';
  const all: Interval[] = [];
  for (const text of texts) {
    const intervalMs = typeof text === 'string' ? parseDuration(text) : Number.NaN;
    if (!(intervalMs > 0)) return `interval must be a duration such as '1m', got ${describe(text)}`;
    if (all.some((other) => other.intervalMs === intervalMs)) return `intervals names ${describe(text)} twice`;
    all.push({ interval: text as string, intervalMs });
  }
  return all.toSorted((left, right) => right.intervalMs - left.intervalMs);
}

export function candleFrames(intervals: readonly Interval[], warmup: unknown): readonly CandleFrame[] | string {
  if (typeof warmup !== 'object' || warmup === null || Array.isArray(warmup)) {
    return framesOf(intervals, () => warmup);
  }
  const unknown = Object.keys(warmup).find((name) => !isAmong(intervals, name));
  if (unknown !== undefined) return `warmup names ${unknown}, which is none of its intervals`;
  return framesOf(intervals, (interval) => (warmup as Readonly<Record<string, unknown>>)[interval] ?? 0);
}

function framesOf(
  intervals: readonly Interval[],
  countOf: (interval: string) => unknown,
): readonly CandleFrame[] | string {
  const frames: CandleFrame[] = [];
  for (const each of intervals) {
    const count = countOf(each.interval);
    if (typeof count !== 'number' || !Number.isFinite(count) || count < 0)
      return `warmup must be a number of candles, such as 50, or one by interval, such as {'${each.interval}': 50}, got ${describe(count)}`;
    frames.push({ ...each, warmup: Math.ceil(count) });
  }
  return frames;
}

function isAmong(intervals: readonly Interval[], name: string): boolean {
  return intervals.some(({ interval }) => interval === name);
}
