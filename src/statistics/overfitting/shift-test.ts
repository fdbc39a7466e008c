/** Circular shift test of market against positions: P(τ) = Σ position(t)·Δmid(t + τ). Both keep their dependence. */
import { indexAt, type Series } from '../series.ts';
import type { HeldPath, HeldSymbol } from './held-path.ts';

const SHIFTS = 999;
const SHIFTS_MIN = 99;
/** Bounds the number of shifts. */
const LOOKUPS_MAX = 20_000_000;
/** Relative to the turnover: differences below count as equal. */
const ROUNDING = 1e-12;

export interface ShiftReport {
  /** (shifts that earn at least as much + 1) / (shifts + 1). */
  readonly pValue: number;
  /** P&L before costs, reporting currency. */
  readonly timing: number;
  readonly execution: number;
  /** Mean timing of the shifts. */
  readonly expected: number;
  readonly shifts: number;
}

export function shiftTest(held: HeldPath): ShiftReport {
  const { period, symbols, timing, execution } = held;
  const fills = symbols.reduce((count, { ts }) => count + ts.length, 0);
  const shifts = Math.max(SHIFTS_MIN, Math.min(SHIFTS, Math.floor(LOOKUPS_MAX / fills)));
  const turnover = symbols.reduce(
    (sum, { change, path }) => change.reduce((s, x) => s + Math.abs(x) * path.value[0]!, sum),
    0,
  );
  const length = period.to - period.from;
  let asGood = 0;
  let sum = 0;
  for (let shift = 1; shift <= shifts; shift++) {
    const by = (length * shift) / (shifts + 1);
    const made = symbols.reduce((total, symbol) => total + shifted(symbol, period, by), 0);
    sum += made;
    if (made >= timing - ROUNDING * turnover) asGood++;
  }
  return { pValue: (asGood + 1) / (shifts + 1), timing, execution, expected: sum / shifts, shifts };
}

/** Σ position·Δmid with the market `by` ms later, wrapped without a jump. */
function shifted({ path, ts, change }: HeldSymbol, { from, to }: HeldPath['period'], by: number): number {
  const last = path.value[path.length - 1]!;
  const atStart = path.value[Math.max(0, indexAt(path, from))]!;
  const drift = last - atStart;
  const wrap = to - from;
  let position = 0;
  let paid = 0;
  let at = Math.max(0, indexAt(path, from + by));
  let isWrapped = false;
  for (let fill = 0; fill < ts.length; fill++) {
    let moment = ts[fill]! + by;
    if (moment > to) {
      if (!isWrapped) at = 0;
      isWrapped = true;
      moment -= wrap;
    }
    at = lastUntil(path, moment, at);
    position += change[fill]!;
    paid += change[fill]! * (path.value[at]! + (isWrapped ? drift : 0));
  }
  const end = path.value[Math.max(0, indexAt(path, from + by))]! + drift;
  return position * end - paid;
}

/** Last point at or before `moment`, searched from `at` on, which is near. */
function lastUntil({ ts, length }: Series, moment: number, at: number): number {
  let low = at;
  let step = 1;
  while (low + step < length && ts[low + step]! <= moment) {
    low += step;
    step *= 2;
  }
  while (step > 1) {
    step /= 2;
    if (low + step < length && ts[low + step]! <= moment) low += step;
  }
  return low;
}
