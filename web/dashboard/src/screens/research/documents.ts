/** Result files as this page reads them. A file of an older build may lack what a newer one has: all of it is optional. */

import type { SweepProgress } from '../../wire/types.ts';

export interface RunDocument {
  readonly command: 'backtest' | 'paper' | 'run';
  readonly strategy: string;
  readonly currency?: string;
  /** Of several strategies by tag. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Of several strategies. */
  readonly strategies?: readonly StrategyPart[];
  readonly period: { readonly from: number; readonly to: number };
  readonly stats: Readonly<Record<string, unknown>>;
  readonly equity: readonly (readonly [ts: number, equity: number])[];
  readonly warnings?: readonly string[];
  readonly denials?: readonly { readonly reason: string; readonly count: number; readonly last: string }[];
  readonly runHash?: string | null;
  readonly ledger?: { readonly trials: number };
}

export interface StrategyPart {
  /** Its tag. */
  readonly strategy: string;
  readonly name: string;
  /** Of the capital at the start; null: not set. */
  readonly share: number | null;
  readonly capital: number;
  readonly fills: number;
  readonly stats: Readonly<Record<string, unknown>>;
}

export interface Trial {
  readonly number: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly state: string;
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly feasible: boolean;
  readonly point: readonly number[];
}

export interface SweepDocument {
  /** Absent from a result file: the search is over. */
  readonly progress?: SweepProgress;
  readonly trialsPerMinute: number;
  readonly command: 'sweep';
  readonly strategy: string;
  readonly method: string;
  readonly period: { readonly from: number; readonly to: number };
  readonly space: {
    readonly parameters: Readonly<
      Record<
        string,
        { readonly from?: number; readonly to?: number; readonly log?: boolean; readonly of?: readonly unknown[] }
      >
    >;
    readonly objectives: readonly { readonly metric: string; readonly direction: 'maximize' | 'minimize' }[];
  };
  readonly counts: {
    readonly asked: number;
    readonly done: number;
    readonly pruned: number;
    readonly failed: number;
    readonly infeasible: number;
  };
  readonly best: Trial | null;
  readonly landscape: {
    readonly plateauScore: number | null;
    readonly edges: readonly { readonly name: string; readonly end: string }[];
    readonly importance: readonly { readonly name: string; readonly share: number }[];
  };
  readonly luck: { readonly trialsOnData: number; readonly dsr: number | null; readonly pbo: number | null };
  readonly trials: readonly Trial[];
  readonly interrupted: boolean;
  readonly warnings: readonly string[];
}

export interface ValidationDocument {
  readonly command: 'validate';
  readonly strategy: string;
  readonly verdict: { readonly level: string; readonly sentence: string; readonly reasons: readonly string[] };
  readonly period: { readonly from: number; readonly to: number };
  readonly base: {
    readonly metrics: Readonly<Record<string, number | null>>;
    readonly dsr: number | null;
    readonly maxTPValue: number | null;
    readonly trialsOnData: number;
  };
  readonly overfitting: { readonly pbo: number } | { readonly skipped: string };
  readonly stress: readonly {
    readonly name: string;
    readonly change: string;
    readonly metrics: Readonly<Record<string, number | null>> | null;
    readonly reason: string | null;
  }[];
  readonly lookAhead: { readonly ok: boolean | null };
  readonly warnings: readonly string[];
}

export type ResultDocument = RunDocument | SweepDocument | ValidationDocument;
