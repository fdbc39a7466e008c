/** Look-ahead check: decisions before each data cut must equal those with all data, byte for byte. */
import { createHash } from 'node:crypto';
import type { Action } from '../../model/trading/action.ts';

/** Decisions of one run. */
export interface Decision {
  readonly ts: number;
  /** SHA-256 of tag and actions. */
  readonly hash: string;
}

export class DecisionLog {
  readonly decisions: Decision[] = [];

  readonly onActions = (ts: number, tag: string, actions: readonly Action[]): void => {
    this.decisions.push({
      ts,
      hash: createHash('sha256')
        .update(JSON.stringify([tag, actions]))
        .digest('base64'),
    });
  };
}

export interface LookAheadCut {
  /** End of the cut data, Unix ms. */
  readonly at: number;
  /** Number before the cut, with all data. */
  readonly decisions: number;
  /** Time of the first differing decision, or null. */
  readonly differsAt: number | null;
}

export interface LookAheadProof {
  /** False: a decision differs. Null: none differs, but something is not covered. */
  readonly ok: boolean | null;
  /** `reads files: not covered`, or null. */
  readonly notCovered: string | null;
  /** Relative to the strategy's folder. Absent in older files. */
  readonly filesRead?: readonly string[];
  readonly cuts: readonly LookAheadCut[];
}

/** Files that a strategy reads itself are not cut. */
export function proofOf(cuts: readonly LookAheadCut[], filesRead: readonly string[]): LookAheadProof {
  const differs = cuts.some(({ differsAt }) => differsAt !== null);
  const isCovered = filesRead.length === 0;
  const ok = differs ? false : isCovered ? true : null;
  return { ok, notCovered: isCovered ? null : 'reads files: not covered', filesRead, cuts };
}

/** At a quarter, a half and three quarters of the period. */
export function cutsOf({ from, to }: { readonly from: number; readonly to: number }): readonly number[] {
  return [0.25, 0.5, 0.75].map((share) => Math.round(from + share * (to - from)));
}

export function compareCut(at: number, whole: readonly Decision[], cut: readonly Decision[]): LookAheadCut {
  const before = whole.filter(({ ts }) => ts < at);
  const seen = cut.filter(({ ts }) => ts < at);
  const length = Math.max(before.length, seen.length);
  for (let index = 0; index < length; index++) {
    const [left, right] = [before[index], seen[index]];
    if (left?.ts === right?.ts && left?.hash === right?.hash) continue;
    return { at, decisions: before.length, differsAt: Math.min(left?.ts ?? Infinity, right?.ts ?? Infinity) };
  }
  return { at, decisions: before.length, differsAt: null };
}
