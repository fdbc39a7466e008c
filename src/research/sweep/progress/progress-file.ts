/**
 * The progress of a search as a file beside the trial ledger, so that another process can show it: one JSON line for its
 * begin, for each ended trial, and for its end. A repeated command writes the file of its study anew.
 */
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../journal/files/files.ts';
import { summaryOfSweep, type SweepResult, type SweepTrial } from '../result.ts';

export type SweepBegin = Pick<
  SweepResult,
  'strategy' | 'study' | 'method' | 'seed' | 'halving' | 'period' | 'lockbox' | 'space'
> & {
  readonly asked: number;
  /** Unix ms. */
  readonly startedAt: number;
  readonly pid: number;
};

export type SweepLine =
  | ({ readonly kind: 'begin' } & SweepBegin)
  | ({ readonly kind: 'trial' } & SweepTrial)
  /** Without its trials, which stand before. */
  | { readonly kind: 'end'; readonly at: number; readonly result: Omit<SweepResult, 'trials'> };

/** Gets the progress of a search. */
export interface SweepProgress {
  begin(facts: SweepBegin): void;
  trial(trial: SweepTrial): void;
  end(at: number, result: SweepResult): void;
}

const SUFFIX = '.sweep.jsonl';
const KEPT_MAX = 100;

export function progressFolder(ledger: string): string {
  return join(dirname(ledger), 'sweeps');
}

/** A file that cannot be written ends no search: it is only not shown. */
export function progressFile(ledger: string): SweepProgress {
  const folder = progressFolder(ledger);
  let path: string | null = null;
  const write = (line: SweepLine): void => {
    if (path === null) return;
    try {
      appendFileSync(path, `${JSON.stringify(line)}\n`);
    } catch {
      path = null;
    }
  };
  return {
    begin: (facts) => {
      try {
        makeFolder(folder);
        dropOldest(folder);
        path = join(folder, `${facts.study}${SUFFIX}`);
        writeFileSync(path, '');
        write({ kind: 'begin', ...facts });
      } catch {
        path = null;
      }
    },
    trial: (trial) => write({ kind: 'trial', ...trial }),
    end: (at, result) => write({ kind: 'end', at, result: summaryOfSweep(result) }),
  };
}

export interface ProgressFile {
  readonly study: string;
  readonly path: string;
  /** Unix ms of the last line. */
  readonly at: number;
  readonly bytes: number;
}

export function progressFilesIn(folder: string): readonly ProgressFile[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return [];
    return [{ study: name.slice(0, -SUFFIX.length), path, at: found.mtimeMs, bytes: found.size }];
  });
}

export interface ReadProgress {
  readonly begin: SweepBegin;
  /** By number. */
  readonly trials: readonly SweepTrial[];
  readonly end: Extract<SweepLine, { kind: 'end' }> | null;
}

/** Null before the first line is whole. The last line may be half written. */
export function readProgress(path: string): ReadProgress | null {
  let begin: SweepBegin | null = null;
  let end: ReadProgress['end'] = null;
  const trials = new Map<number, SweepTrial>();
  for (const text of readFileSync(path, 'utf8').split('\n')) {
    const line = lineOf(text);
    if (line?.kind === 'begin') {
      const { kind: _, ...facts } = line;
      begin = facts;
    } else if (line?.kind === 'trial') {
      const { kind: _, ...trial } = line;
      trials.set(trial.number, trial);
    } else if (line !== null) end = line;
  }
  if (begin === null) return null;
  return { begin, trials: [...trials.values()].toSorted((a, b) => a.number - b.number), end };
}

function lineOf(text: string): SweepLine | null {
  try {
    return JSON.parse(text) as SweepLine;
  } catch {
    return null;
  }
}

function dropOldest(folder: string): void {
  const files = progressFilesIn(folder).toSorted((left, right) => right.at - left.at);
  for (const { path } of files.slice(KEPT_MAX - 1)) rmSync(path, { force: true });
}
