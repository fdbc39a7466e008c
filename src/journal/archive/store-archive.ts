/** Archive of an open journal: notes segments, deletes their rows in pieces, refuses duplicates. */
import type Database from 'better-sqlite3';
import type { Segment } from '../../model/entries/archive-segment.ts';
import type { JournalArchive } from '../../model/entries/journal.ts';
import { journalErrors } from '../errors.ts';
import { readMeta } from '../schema.ts';
import { ARCHIVABLE_KEY } from '../snapshots.ts';
import { LANDMARK_KINDS, keyNumber, lastSegment } from './archive-table.ts';

/** Rows per transaction. At one per second (about 2 ms) it is faster than 10 orders a second write. */
const PIECE_ROWS = 100;

interface KeyedRow {
  readonly seq: number;
  readonly kind: string;
  readonly once: string | null;
}

export class StoreArchive implements JournalArchive {
  readonly #db: Database.Database;
  readonly #path: string;
  /** Called after each write. */
  readonly #written: () => void;
  readonly #find: Database.Statement<[bigint], number>;
  #isEmpty: boolean;
  /** Deletes rows after this seq; null: none. */
  #dropAfter: number | null;

  constructor(db: Database.Database, path: string, written: () => void) {
    this.#db = db;
    this.#path = path;
    this.#written = written;
    this.#find = db.prepare<[bigint], number>('SELECT 1 FROM archived_once WHERE key = ?').pluck();
    this.#isEmpty = lastSegment(db) === undefined;
    this.#dropAfter = this.#isEmpty ? null : 0;
  }

  get isDue(): boolean {
    return Number(readMeta(this.#db, ARCHIVABLE_KEY) ?? 0) > (lastSegment(this.#db)?.last ?? 0);
  }

  /** Throws `RangeError` unless it follows the previous one and matches the rows. */
  note({ first, last, before, hash }: Segment): void {
    const db = this.#db;
    db.transaction(() => {
      const row = db.prepare<[number], { hash: string }>('SELECT hash FROM journal WHERE seq = ?').get(last);
      if (first !== (lastSegment(db)?.last ?? 0) + 1 || row?.hash !== hash)
        throw new RangeError(`the segment ${first} to ${last} is not of the rows that come next`);
      db.prepare('INSERT INTO archive (first, last, before, hash) VALUES (?, ?, ?, ?)').run(first, last, before, hash);
    }).immediate();
    this.#written();
    this.#isEmpty = false;
    this.#dropAfter ??= 0;
  }

  /** As the unique index does for rows of the table. Throws `journal_failed`. */
  requireNew(kind: string, once: string): void {
    if (this.#isEmpty || this.#find.get(keyNumber(kind, once)) === undefined) return;
    const text = `${this.#path}: ${kind} ${once} is in the archive already`;
    throw journalErrors.make('journal_failed', text, { path: this.#path });
  }

  /** Work for idle times, a few ms. */
  takeOut(): void {
    if (this.#dropAfter === null) return;
    try {
      this.#dropAfter = this.#dropPiece(this.#dropAfter);
      this.#written();
    } catch {
      // Retried when idle. The archive is read meanwhile.
    }
  }

  /** Keeps landmarks. Returns the last visited row; null: none left. */
  #dropPiece(after: number): number | null {
    const db = this.#db;
    const rows = db
      .prepare<[number, number, number], KeyedRow>(
        'SELECT seq, kind, once FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
      )
      .all(after, lastSegment(db)?.last ?? 0, PIECE_ROWS);
    const remove = db.prepare('DELETE FROM journal WHERE seq = ?');
    const keep = db.prepare('INSERT OR IGNORE INTO archived_once (key) VALUES (?)');
    db.transaction(() => {
      for (const { seq, kind, once } of rows) {
        if (LANDMARK_KINDS.has(kind)) continue;
        if (once !== null) keep.run(keyNumber(kind, once));
        remove.run(seq);
      }
    }).immediate();
    return rows.at(-1)?.seq ?? null;
  }
}
