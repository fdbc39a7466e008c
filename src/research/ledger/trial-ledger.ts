/**
 * The trial ledger (docs/metrics.md, "Overfitting"): returns of every backtest and search trial, and lockbox openings.
 * A repeated run hash is the same trial. Every call throws `trial_ledger` on a file error.
 */
import type Database from 'better-sqlite3';
import type { PeriodReturns } from '../../statistics/period-grid.ts';
import type { DataParts } from '../../recording/tape/data-parts.ts';
import { type KnownData, type Part, sameDataOf, type StoredSeries } from './same-data.ts';
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

interface SeriesRow {
  readonly data_hash: string;
  readonly span_ms: number;
  readonly parts: Buffer;
}

/** Less of a lockbox under another hash is not seen: a bar more or less moves its border. */
const UNSEEN_SHARE = 0.01;
const ALL: Part = { from: -Infinity, to: Infinity };

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

  /** Before trials of these data: by their parts they are known again under another hash. */
  know({ hash, parts: { spanMs, series } }: KnownData): void {
    const sql = `INSERT OR IGNORE INTO data_series (data_hash, number, span_ms, period_from, period_to, parts)
      VALUES (?, ?, ?, ?, ?, ?)`;
    onLedger(this.#db, () => {
      const insert = this.#db.prepare(sql);
      const all = this.#db.transaction(() => {
        for (const [number, { at, least }] of series.entries()) {
          const to = at.at(-1)! + spanMs;
          insert.run(hash, number, spanMs, at[0], to, Buffer.from(Float64Array.from([...at, ...least]).buffer));
        }
      });
      all.immediate();
    });
  }

  /**
   * Of any strategy and period, oldest first; then those of the same market under other hashes. What ran with the same
   * code, parameters and seed under two hashes is one try.
   */
  onData(data: KnownData): readonly Trial[] {
    const trials = [...this.#under(data.hash)];
    const period = periodOf(data.parts);
    if (period === null) return trials;
    const tried = new Set(trials.map(ideaOf));
    for (const hash of [...this.#same(data, [ALL])].sort()) {
      const more = this.#under(hash).filter((trial) => overlap(trial.period, period) > 0 && !tried.has(ideaOf(trial)));
      trials.push(...more);
      for (const trial of more) tried.add(ideaOf(trial));
    }
    return trials;
  }

  count(): number {
    return (
      onLedger(this.#db, () => this.#db.prepare<[], { n: number }>('SELECT count(*) AS n FROM trial').get())?.n ?? 0
    );
  }

  /** Trials that ran into the lockbox. */
  seenIn(data: KnownData, lockbox: Part): number {
    return this.#lookedAt('trial', 'data_hash = ? AND period_to > ?', [data.hash, lockbox.from], data, lockbox);
  }

  /** Called before anything inside is shown. */
  recordOpening({ at, strategy, codeHash, dataHash, period, result }: LockboxOpening): void {
    const sql = `INSERT INTO lockbox_opening (at, strategy, code_hash, data_hash, period_from, period_to, result)
      VALUES (?, ?, ?, ?, ?, ?, ?)`;
    const row = [at, strategy, codeHash, dataHash, period.from, period.to, JSON.stringify(result)];
    onLedger(this.#db, () => this.#db.prepare(sql).run(...row));
  }

  /** Lockbox openings of these data by any strategy. */
  openings(data: KnownData, lockbox: Part): number {
    return this.#lookedAt('lockbox_opening', 'data_hash = ?', [data.hash], data, lockbox);
  }

  close(): void {
    this.#db.close();
  }

  #under(dataHash: string): readonly Trial[] {
    const sql = 'SELECT * FROM trial WHERE data_hash = ? ORDER BY id';
    return onLedger(this.#db, () => this.#db.prepare<[string], TrialRow>(sql).all(dataHash)).map(trialOf);
  }

  /** Other hashes of the same market. */
  #same({ hash, parts }: KnownData, windows: readonly Part[]): Set<string> {
    const period = periodOf(parts);
    if (period === null) return new Set();
    const sql = 'SELECT * FROM data_series WHERE data_hash <> ? AND period_from < ? AND period_to > ?';
    return onLedger(this.#db, () => {
      const rows = this.#db.prepare<[string, number, number], SeriesRow>(sql).iterate(hash, period.to, period.from);
      return sameDataOf(parts, seriesOf(rows), windows);
    });
  }

  /** Rows of `own`, and of the same market under other hashes whose period reaches into the lockbox. */
  #lookedAt(
    table: 'trial' | 'lockbox_opening',
    own: string,
    given: readonly (string | number)[],
    data: KnownData,
    lockbox: Part,
  ): number {
    const same = [...this.#same(data, [ALL, lockbox])];
    const least = UNSEEN_SHARE * (lockbox.to - lockbox.from);
    const sql = `SELECT count(*) AS n FROM ${table} WHERE (${own}) OR (
      data_hash IN (SELECT value FROM json_each(?)) AND min(period_to, ?) - max(period_from, ?) > ?)`;
    const values = [...given, JSON.stringify(same), lockbox.to, lockbox.from, least];
    return onLedger(this.#db, () => this.#db.prepare<unknown[], { n: number }>(sql).get(...values))?.n ?? 0;
  }
}

/** Null without parts, as of older tapes. */
function periodOf({ spanMs, series }: DataParts): Part | null {
  if (series.length === 0) return null;
  const from = Math.min(...series.map(({ at }) => at[0]!));
  return { from, to: Math.max(...series.map(({ at }) => at.at(-1)!)) + spanMs };
}

function overlap(one: Part, other: Part): number {
  return Math.min(one.to, other.to) - Math.max(one.from, other.from);
}

function ideaOf({ strategy, codeHash, seed, params }: Trial): string {
  return JSON.stringify([strategy, codeHash, seed, params]);
}

function* seriesOf(rows: Iterable<SeriesRow>): Iterable<StoredSeries> {
  for (const { data_hash: dataHash, span_ms: spanMs, parts } of rows)
    yield { dataHash, spanMs, parts: numbersOf(parts) };
}

/** A copy, for alignment. */
function numbersOf(bytes: Buffer): Float64Array {
  return new Float64Array(Uint8Array.from(bytes).buffer);
}

function trialOf(row: TrialRow): Trial {
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
    returns: { sampleMs: row.sample_ms, values: numbersOf(row.returns) },
  };
}
