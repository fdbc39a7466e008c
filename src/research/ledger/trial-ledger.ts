/**
 * The trial ledger (docs/metrics.md, "Overfitting"): returns of every backtest and search trial, and lockbox openings.
 * A repeated run hash is the same trial. Every call throws `trial_ledger` on a file error.
 */
import type Database from 'better-sqlite3';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import { onLedger, openLedgerFile } from './schema.ts';

/** Below the working folder. */
export const LEDGER_PATH = 'data/trials.db';

export interface Trial {
  readonly runHash: string;
  /** Unix ms of the first run. */
  readonly at: number;
  readonly command: string;
  readonly strategy: string;
  readonly codeHash: string;
  readonly dataHash: string;
  /** Unix ms. */
  readonly period: { readonly from: number; readonly to: number };
  readonly seed: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly stats: Readonly<Record<string, unknown>>;
  readonly returns: PeriodReturns;
}

export interface LockboxOpening {
  readonly at: number;
  readonly strategy: string;
  readonly codeHash: string;
  readonly dataHash: string;
  readonly period: { readonly from: number; readonly to: number };
  /** What was seen inside. */
  readonly result: Readonly<Record<string, unknown>>;
}

interface TrialRow {
  readonly run_hash: string;
  readonly at: number;
  readonly command: string;
  readonly strategy: string;
  readonly code_hash: string;
  readonly data_hash: string;
  readonly period_from: number;
  readonly period_to: number;
  readonly seed: number;
  readonly params: string;
  readonly stats: string;
  readonly sample_ms: number;
  readonly returns: Buffer;
}

export class TrialLedger {
  readonly #db: Database.Database;

  /** @throws `trial_ledger` when the file cannot be used. */
  constructor(path: string) {
    this.#db = openLedgerFile(path);
  }

  /** True when new; the first run of a hash stays. */
  record(trial: Trial): boolean {
    const { values, sampleMs } = trial.returns;
    const row = [
      trial.runHash,
      trial.at,
      trial.command,
      trial.strategy,
      trial.codeHash,
      trial.dataHash,
      trial.period.from,
      trial.period.to,
      trial.seed,
      JSON.stringify(trial.params),
      JSON.stringify(trial.stats),
      sampleMs,
      Buffer.from(values.buffer, values.byteOffset, values.byteLength),
    ];
    const sql = `INSERT OR IGNORE INTO trial (run_hash, at, command, strategy, code_hash, data_hash, period_from, period_to,
      seed, params, stats, sample_ms, returns) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    return onLedger(this.#db, () => this.#db.prepare(sql).run(...row).changes > 0);
  }

  find(runHash: string): Trial | null {
    const sql = 'SELECT * FROM trial WHERE run_hash = ?';
    const row = onLedger(this.#db, () => this.#db.prepare<[string], TrialRow>(sql).get(runHash));
    return row === undefined ? null : trialOf(row);
  }

  /** Of any strategy and period, oldest first. */
  onData(dataHash: string): readonly Trial[] {
    const sql = 'SELECT * FROM trial WHERE data_hash = ? ORDER BY id';
    return onLedger(this.#db, () => this.#db.prepare<[string], TrialRow>(sql).all(dataHash)).map(trialOf);
  }

  count(): number {
    return (
      onLedger(this.#db, () => this.#db.prepare<[], { n: number }>('SELECT count(*) AS n FROM trial').get())?.n ?? 0
    );
  }

  /** Trials that ran past `ms`, the lockbox's start. */
  seenAfter(dataHash: string, ms: number): number {
    const sql = 'SELECT count(*) AS n FROM trial WHERE data_hash = ? AND period_to > ?';
    return onLedger(this.#db, () => this.#db.prepare<[string, number], { n: number }>(sql).get(dataHash, ms))?.n ?? 0;
  }

  /** Called before anything inside is shown. */
  recordOpening({ at, strategy, codeHash, dataHash, period, result }: LockboxOpening): void {
    const sql = `INSERT INTO lockbox_opening (at, strategy, code_hash, data_hash, period_from, period_to, result)
      VALUES (?, ?, ?, ?, ?, ?, ?)`;
    const row = [at, strategy, codeHash, dataHash, period.from, period.to, JSON.stringify(result)];
    onLedger(this.#db, () => this.#db.prepare(sql).run(...row));
  }

  /** Lockbox openings of this data by any strategy. */
  openings(dataHash: string): number {
    const sql = 'SELECT count(*) AS n FROM lockbox_opening WHERE data_hash = ?';
    return onLedger(this.#db, () => this.#db.prepare<[string], { n: number }>(sql).get(dataHash))?.n ?? 0;
  }

  close(): void {
    this.#db.close();
  }
}

function trialOf(row: TrialRow): Trial {
  // A copy, for alignment.
  const bytes = Uint8Array.from(row.returns);
  return {
    runHash: row.run_hash,
    at: row.at,
    command: row.command,
    strategy: row.strategy,
    codeHash: row.code_hash,
    dataHash: row.data_hash,
    period: { from: row.period_from, to: row.period_to },
    seed: row.seed,
    params: JSON.parse(row.params) as Record<string, unknown>,
    stats: JSON.parse(row.stats) as Record<string, unknown>,
    returns: { sampleMs: row.sample_ms, values: new Float64Array(bytes.buffer) },
  };
}
