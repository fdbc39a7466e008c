/** Returns by month, or by hour in shorter runs, deposits included. None below half a day. */
import { periodBegin } from '../../statistics/returns.ts';

type Points = readonly (readonly [ts: number, value: number])[];

export interface Calendar {
  readonly name: 'month' | 'hour';
  readonly columns: readonly string[];
  readonly rows: readonly CalendarRow[];
}

export interface CalendarRow {
  readonly label: string;
  /** Percent; null outside the run. */
  readonly cells: readonly (number | null)[];
  /** Percent over the row. */
  readonly total: number;
}

interface Grain {
  readonly name: Calendar['name'];
  readonly columns: readonly string[];
  /** Shortest suitable run, ms. */
  readonly from: number;
  readonly cellOf: (date: Date) => readonly [row: string, column: number];
}

const HOUR = 3_600_000;
const ROWS_MAX = 60;

const two = (value: number): string => String(value).padStart(2, '0');
const numbers = (length: number): string[] => Array.from({ length }, (_, index) => two(index));

const GRAINS: readonly Grain[] = [
  {
    name: 'month',
    columns: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
    from: 45 * 24 * HOUR,
    cellOf: (date) => [String(date.getUTCFullYear()), date.getUTCMonth()],
  },
  {
    name: 'hour',
    columns: numbers(24),
    from: 12 * HOUR,
    cellOf: (date) => [date.toISOString().slice(0, 10), date.getUTCHours()],
  },
];

/** Null for short runs and fewer than two points. At most the last 60 rows. */
export function calendarOf(points: Points, from: number, to: number): Calendar | null {
  const first = points[0];
  const grain = GRAINS.find((choice) => to - from >= choice.from);
  if (first === undefined || points.length < 2 || grain === undefined || !Number.isFinite(to)) return null;
  const rows = new Map<string, { start: number; end: number; cells: { start: number; end: number }[] }>();
  let last = first[1];
  let key = '';
  let cell = { start: last, end: last };
  let row = { start: last, end: last, cells: [cell] };
  let stretch = Number.NaN;
  for (const [at, value] of points) {
    // An hour is the finest cell.
    const hour = periodBegin(at, from, to, HOUR);
    if (hour !== stretch) {
      stretch = hour;
      const [label, column] = grain.cellOf(new Date(hour));
      if (`${label}/${column}` !== key) {
        key = `${label}/${column}`;
        row = rows.get(label) ?? { start: last, end: last, cells: [] };
        rows.set(label, row);
        cell = row.cells[column] ?? { start: last, end: last };
        row.cells[column] = cell;
      }
    }
    cell.end = value;
    row.end = value;
    last = value;
  }
  return {
    name: grain.name,
    columns: grain.columns,
    rows: [...rows].slice(-ROWS_MAX).map(([label, { start, end, cells }]) => ({
      label,
      cells: grain.columns.map((_, column) => (cells[column] === undefined ? null : change(cells[column]))),
      total: change({ start, end }),
    })),
  };
}

function change({ start, end }: { readonly start: number; readonly end: number }): number {
  return start > 0 ? (end / start - 1) * 100 : 0;
}
