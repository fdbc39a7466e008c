/**
 * P&L by period: the change of equity between UTC boundaries. Days when the run has a few of them; hours, minutes or
 * seconds for short runs, weeks or months for long ones, so that the bars can be read.
 */
import { alignDown } from '../../model/time.ts';

export type PeriodName = 'second' | '10 seconds' | 'minute' | 'hour' | 'day' | 'week' | 'month';

export interface PnlBars {
  readonly period: PeriodName;
  readonly starts: number[];
  readonly pnl: number[];
}

const DAY = 86_400_000;
const MAX_BARS = 400;
/** Below this many bars of a length the next shorter one says more. */
const MIN_BARS = 3;

const PERIODS: readonly (readonly [PeriodName, number])[] = [
  ['day', DAY],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['10 seconds', 10_000],
  ['second', 1000],
];

export function pnlBars(equity: readonly (readonly [number, number])[], from: number, to: number): PnlBars {
  const period = choosePeriod(Math.max(0, to - from));
  const starts: number[] = [];
  const pnl: number[] = [];
  let last = equity[0]?.[1] ?? 0;
  for (const [ts, value] of equity) {
    // What is told at the end is of the period that ends, not of one that the run does not reach into.
    const start = startOf(period, Math.max(from, Math.min(ts, to - 1)));
    if (start !== starts[starts.length - 1]) {
      starts.push(start);
      pnl.push(0);
    }
    pnl[pnl.length - 1]! += value - last;
    last = value;
  }
  return { period, starts, pnl: pnl.map((value) => Number(value.toPrecision(10))) };
}

function choosePeriod(span: number): PeriodName {
  if (span > MAX_BARS * 7 * DAY) return 'month';
  if (span > MAX_BARS * DAY) return 'week';
  return PERIODS.find(([, length]) => span >= MIN_BARS * length)?.[0] ?? 'second';
}

/** Weeks start on Monday. */
function startOf(period: PeriodName, ts: number): number {
  if (period === 'week') return alignDown(ts - 4 * DAY, 7 * DAY) + 4 * DAY;
  if (period === 'month') {
    const date = new Date(ts);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  return alignDown(ts, PERIODS.find(([name]) => name === period)?.[1] ?? DAY);
}
