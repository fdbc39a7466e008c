/** Archive of an open journal: notes segments, deletes their rows piecewise, refuses duplicates. */
import type Database from 'better-sqlite3';
import type { Segment } from '../../model/archive-segment.ts';
import type { JournalArchive } from '../../model/journal.ts';
import { journalErrors } from '../errors.ts';
import { readMeta } from '../schema.ts';
import { ARCHIVABLE_KEY } from '../snapshots.ts';
import { dropPiece, keyNumber, lastSegment, noteSegment } from './archive-table.ts';

export class StoreArchive implements JournalArchive {
  readonly #db: Database.Database;
  readonly #path: string;
  /** Called after each write. */
  readonly #written: () => void;
  readonly #find: Database.Statement<[bigint], number>;
  #isEmpty: boolean;
  /** Delete rows after this seq; null: none. */
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

  note(segment: Segment): void {
    noteSegment(this.#db, segment);
    this.#written();
    this.#isEmpty = false;
    this.#dropAfter ??= 0;
  }

  /** As the unique index does for table rows. Throws `journal_failed`. */
  requireNew(kind: string, once: string): void {
    if (this.#isEmpty || this.#find.get(keyNumber(kind, once)) === undefined) return;
    const text = `${this.#path}: ${kind} ${once} stands in the archive already`;
    throw journalErrors.make('journal_failed', text, { path: this.#path });
  }

  /** Idle work of a few ms. */
  takeOut(): void {
    if (this.#dropAfter === null) return;
    try {
      this.#dropAfter = dropPiece(this.#db, this.#dropAfter);
      this.#written();
    } catch {
      // Retried when idle; the archive is read meanwhile.
    }
  }
}
