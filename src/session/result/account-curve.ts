/** The equity of a session that is not followed live: from its result, else from its journal, which knows it at fills. */
import type { EquityStart } from '../recorder/equity-start.ts';
import type { RunRecorder } from '../recorder/run-recorder.ts';

export type CurvePoint = readonly [ts: number, equity: number];

/** Reporting currency. */
export interface AccountCurve {
  /** At its end. */
  readonly equity: number;
  /** Null where something that was held has no price. */
  readonly heldDrift: number | null;
  /** What own trading began with; null where it was never valued. */
  readonly capital: number;
  /** Oldest first, thinned, with the first and the last one. */
  readonly points: readonly CurvePoint[];
}

const POINTS_MAX = 2_000;

/** From the rows that the recorder got from a journal. Null before the first valuation. */
export function journalledCurve({ equity }: RunRecorder, start: EquityStart | null): AccountCurve | null {
  if (start === null) return null;
  equity.resume(start);
  const { ts, value, length } = equity.series();
  const points = Array.from({ length }, (_, index): CurvePoint => [ts[index]!, value[index]!]);
  const drift = equity.drift();
  return {
    equity: equity.equity,
    heldDrift: drift?.toNumber() ?? null,
    capital: equity.capital,
    points: thinned(points),
  };
}

/** Of a result; its curve has a point at least. */
export function resultCurve(all: readonly CurvePoint[], heldDrift: unknown): AccountCurve | null {
  const [first] = all;
  const last = all.at(-1);
  if (first === undefined || last === undefined) return null;
  const drift = typeof heldDrift === 'number' ? heldDrift : null;
  return { equity: last[1], heldDrift: drift, capital: first[1], points: thinned(all) };
}

function thinned(all: readonly CurvePoint[]): readonly CurvePoint[] {
  const step = Math.max(1, Math.ceil(all.length / (POINTS_MAX - 1)));
  return all.filter((_, index) => index % step === 0 || index === all.length - 1);
}
