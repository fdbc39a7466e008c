/** Equity of a session: while it runs what it had at first, and a sample a second while somebody looks; bounded. */
import type { AccountCurve } from '../../session/result/account-curve.ts';
import type { LivePart } from '../live/live-part.ts';
import type { EquityPoint } from '../schemas/market.ts';
import type { SessionSummary } from '../schemas/session.ts';

const POINTS_MAX = 2_000;
const EVERY_MS = 1_000;
/** A longer time without a sample is a hole. */
const HOLE_MS = 5_000;
const SPARK = 120;
const DAY_MS = 86_400_000;

interface DayStart {
  readonly since: number;
  readonly netPnl: number;
  readonly heldDrift: number;
}

export class EquityHistory {
  #points: EquityPoint[] = [];
  #day: DayStart | null = null;
  #hasHole = true;
  readonly #startedAt: number;

  constructor(startedAt: number) {
    this.#startedAt = startedAt;
  }

  get points(): readonly EquityPoint[] {
    return this.#points;
  }

  /** From before the first sample, or from a time without samples. */
  get hasHole(): boolean {
    return this.#hasHole;
  }

  /** Points of the session's own curve, where there are none. */
  fill(points: readonly EquityPoint[]): void {
    const known = this.#points;
    let at = 0;
    const missing = points.filter(({ ts }) => {
      while (at < known.length && (known[at]?.ts ?? 0) < ts - EVERY_MS) at++;
      return (known[at]?.ts ?? Number.POSITIVE_INFINITY) > ts + EVERY_MS;
    });
    this.#points = [...known, ...missing].toSorted((a, b) => a.ts - b.ts);
    this.#hasHole = false;
    this.#thin();
  }

  add({ at, equity, netPnl, heldDrift }: LivePart): void {
    if (equity === null) return;
    this.#begin(at, netPnl ?? 0, heldDrift ?? 0);
    const since = at - (this.#points.at(-1)?.ts ?? 0);
    if (since < EVERY_MS) return;
    if (since > HOLE_MS) this.#hasHole = true;
    this.#points.push({ ts: at, equity, netPnl, heldDrift });
    this.#thin();
  }

  today({ netPnl, heldDrift }: LivePart): SessionSummary['today'] {
    if (this.#day === null || netPnl === null || heldDrift === null) return null;
    const { since } = this.#day;
    return { since, trading: netPnl - this.#day.netPnl, drift: heldDrift - this.#day.heldDrift };
  }

  #begin(at: number, netPnl: number, heldDrift: number): void {
    const day = Math.floor(at / DAY_MS);
    if (this.#day !== null && Math.floor(this.#day.since / DAY_MS) === day) return;
    const isFirstDay = Math.floor(this.#startedAt / DAY_MS) === day;
    this.#day = isFirstDay ? { since: this.#startedAt, netPnl: 0, heldDrift: 0 } : { since: at, netPnl, heldDrift };
  }

  /** Every other one of the older half goes. */
  #thin(): void {
    while (this.#points.length > POINTS_MAX) {
      const half = Math.floor(this.#points.length / 2);
      this.#points = this.#points.filter((_, index) => index >= half || index % 2 === 0);
    }
  }
}

export function sparkOf(points: readonly EquityPoint[]): number[] {
  const step = Math.max(1, Math.ceil(points.length / SPARK));
  const offset = (points.length - 1) % step;
  return points.filter((_, index) => index % step === offset).map(({ equity }) => equity);
}

/** For a session that is not followed live. The drift is known only at its end. */
export function pointsOf(account: AccountCurve | null): readonly EquityPoint[] {
  if (account === null) return [];
  const { points, capital, heldDrift } = account;
  return points.map(([ts, equity], index) => ({
    ts,
    equity,
    netPnl: equity - capital,
    heldDrift: index === points.length - 1 ? heldDrift : null,
  }));
}
