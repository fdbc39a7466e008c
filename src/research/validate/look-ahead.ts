/**
 * The proof that nothing looks ahead (rule M9): the data are cut off at some moments, and what was decided before each cut must
 * be what was decided with all of the data, to the byte.
 */
import { createHash } from 'node:crypto';
import type { Action } from '../../model/action.ts';

/** Decisions of one run: when, by whom, what. */
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
  /** Unix ms; the data end here. */
  readonly at: number;
  /** Decisions before it, with all of the data. */
  readonly decisions: number;
  /** Time of the first decision that differs; null when none does. */
  readonly differsAt: number | null;
}

export interface LookAheadProof {
  /** False: a decision differs. Null: none does, and yet there is something that the cuts do not cover. */
  readonly ok: boolean | null;
  /** `reads files: not covered`, or null. */
  readonly notCovered: string | null;
  /** From the strategy's folder. Absent in files of earlier versions. */
  readonly filesRead?: readonly string[];
  readonly cuts: readonly LookAheadCut[];
}

/** The data that a strategy reads for itself are not cut: what they hold may come from after the cut. */
export function proofOf(cuts: readonly LookAheadCut[], filesRead: readonly string[]): LookAheadProof {
  const differs = cuts.some(({ differsAt }) => differsAt !== null);
  const isCovered = filesRead.length === 0;
  const ok = differs ? false : isCovered ? true : null;
  return { ok, notCovered: isCovered ? null : 'reads files: not covered', filesRead, cuts };
}

/** Moments at which the data are cut: a quarter, a half and three quarters of the period. */
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
