/**
 * Ended trials of searches in the ledger's file, so that a search continues. The key hashes everything that decides
 * them.
 */
import type Database from 'better-sqlite3';
import { onLedger, openLedgerFile } from './schema.ts';

export interface StudyKey {
  readonly hash: string;
  readonly strategy: string;
  readonly method: string;
  /** Unix ms of the first start. */
  readonly at: number;
}

/** One run of a trial; `rung`: step of successive halving. */
export interface StoredRun {
  readonly number: number;
  readonly rung: number;
  readonly params: Readonly<Record<string, unknown>>;
  /** JSON of the search's own kind. */
  readonly outcome: unknown;
}

export class StudyStore {
  readonly #db: Database.Database;
  readonly #study: number;
  /** Trials stored before opening. */
  readonly known: ReadonlyMap<string, StoredRun>;

  /** @throws `trial_ledger` when the file cannot be used. */
  constructor(path: string, { hash, strategy, method, at }: StudyKey) {
    this.#db = openLedgerFile(path);
    const insert = 'INSERT OR IGNORE INTO study (hash, strategy, method, at) VALUES (?, ?, ?, ?)';
    const find = 'SELECT id FROM study WHERE hash = ?';
    this.#study = onLedger(this.#db, () => {
      this.#db.prepare(insert).run(hash, strategy, method, at);
      return this.#db.prepare<[string], { id: number }>(find).get(hash)?.id ?? 0;
    });
    this.known = new Map(this.#runs().map((run) => [keyOf(run.number, run.rung), run]));
  }

  /** @throws `trial_ledger` when the disk is full or the file damaged; earlier records stay. */
  record({ number, rung, params, outcome }: StoredRun): void {
    const sql = 'INSERT OR REPLACE INTO study_trial (study, number, rung, params, outcome) VALUES (?, ?, ?, ?, ?)';
    const row = [this.#study, number, rung, JSON.stringify(params), JSON.stringify(outcome)];
    onLedger(this.#db, () => this.#db.prepare(sql).run(...row));
  }

  close(): void {
    this.#db.close();
  }

  #runs(): readonly StoredRun[] {
    const sql = 'SELECT number, rung, params, outcome FROM study_trial WHERE study = ? ORDER BY number, rung';
    const rows = onLedger(this.#db, () =>
      this.#db
        .prepare<[number], { number: number; rung: number; params: string; outcome: string }>(sql)
        .all(this.#study),
    );
    return rows.map(({ number, rung, params, outcome }) => ({
      number,
      rung,
      params: JSON.parse(params) as Record<string, unknown>,
      outcome: JSON.parse(outcome) as unknown,
    }));
  }
}

export function keyOf(number: number, rung: number): string {
  return `${number}/${rung}`;
}
