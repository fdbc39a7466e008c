/** Equity change between UTC boundaries, from seconds to months by length of the run. */
import { alignDown } from '../../model/time.ts';
import { periodBegin } from '../../statistics/returns.ts';

export type PeriodName = 'second' | '10 seconds' | 'minute' | 'hour' | 'day' | 'week' | 'month';

export interface PnlBars {
  readonly period: PeriodName;
  readonly starts: number[];
  readonly pnl: number[];
}

const DAY = 86_400_000;
const MAX_BARS = 400;
/** With fewer bars the next shorter period is used. */
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
  const unit = PERIODS.find(([name]) => name === period)?.[1] ?? DAY;
  const starts: number[] = [];
  const pnl: number[] = [];
  let last = equity[0]?.[1] ?? 0;
  for (const [ts, value] of equity) {
    const start = startOf(period, periodBegin(ts, from, to, unit));
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

/** Of the begin of a day in a week or month. Weeks start on Monday. */
function startOf(period: PeriodName, begin: number): number {
  if (period === 'week') return alignDown(begin - 4 * DAY, 7 * DAY) + 4 * DAY;
  if (period !== 'month') return begin;
  const date = new Date(begin);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
