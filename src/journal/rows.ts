/** Reads in pages: an open query blocks writers and checkpoints. */
import type Database from 'better-sqlite3';
import type { JournalEntry, JournalRow } from '../model/journal.ts';
import type { Segment } from '../model/archive-segment.ts';
import { segmentWith } from './archive/archive-table.ts';
import { readSegment } from './archive/segment-files.ts';
import { journalErrors } from './errors.ts';
import { journalError } from './sqlite-errors.ts';

export interface StoredRow {
  readonly seq: number;
  readonly ts: number;
  readonly body: string;
  readonly hash: string;
}

const PAGE_ROWS = 1_000;

/** Throws `journal_corrupt`, `journal_failed`. */
export function* readPages(db: Database.Database, path: string, fromSeq: number): Generator<StoredRow> {
  let from = Math.max(1, fromSeq);
  const pageOf = pager(db, path);
  for (;;) {
    const { segment, rows } = pageOf(from);
    if (segment === undefined) yield* rows;
    else for (const row of readSegment(db, segment)) if (row.seq >= from) yield row;
    if (segment === undefined && rows.length < PAGE_ROWS) return;
    from = (segment?.last ?? rows.at(-1)?.seq ?? from) + 1;
  }
}

interface Page {
  /** If archived; the table is then not read. */
  readonly segment: Segment | undefined;
  readonly rows: readonly StoredRow[];
}

/** One transaction: rows may be archived meanwhile. */
function pager(db: Database.Database, path: string): (from: number) => Page {
  const wrapped = <Answer>(run: () => Answer): Answer => {
    try {
      return run();
    } catch (thrown) {
      throw journalError(thrown, path, 'cannot read');
    }
  };
  return wrapped(() => {
    const query = db.prepare<[number, number], StoredRow>(
      'SELECT seq, ts, body, hash FROM journal WHERE seq >= ? ORDER BY seq LIMIT ?',
    );
    const page = db.transaction((from: number): Page => {
      const segment = segmentWith(db, from);
      return { segment, rows: segment === undefined ? query.all(from, PAGE_ROWS) : [] };
    });
    return (from) => wrapped(() => page(from));
  });
}

/** Undefined when missing or unreadable. */
export function hashOfRow(db: Database.Database, seq: number): string | undefined {
  const row = db.prepare<[number], { hash: string }>('SELECT hash FROM journal WHERE seq = ?').get(seq);
  if (row !== undefined) return row.hash;
  const segment = segmentWith(db, seq);
  if (segment === undefined) return undefined;
  try {
    return readSegment(db, segment)[seq - segment.first]?.hash;
  } catch {
    return undefined;
  }
}

/** Proves every row was kept. */
export interface RowsMark {
  readonly rows: number;
  readonly hash: string | null;
}

export function rowsMark(db: Database.Database): RowsMark {
  const rows = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM journal').get()?.n ?? 0;
  const last = db.prepare<[], { hash: string }>('SELECT hash FROM journal ORDER BY seq DESC LIMIT 1').get();
  return { rows, hash: last?.hash ?? null };
}

/** `when`: for the message. Throws `journal_corrupt`. */
export function requireRows(db: Database.Database, path: string, { rows, hash }: RowsMark, when: string): void {
  const now = rowsMark(db);
  if (now.rows === rows && now.hash === hash) return;
  const last = now.rows === rows ? ', and the last is another' : '';
  throw journalErrors.make('journal_corrupt', `${path}: ${now.rows} rows ${when}, ${rows} before${last}`, { path });
}

/** Throws `journal_corrupt`. */
export function rowOf({ seq, ts, body }: StoredRow, path: string): JournalRow {
  try {
    const entry = JSON.parse(body) as JournalEntry | null;
    if (typeof entry?.kind === 'string') return { seq, ts, entry };
  } catch {
    // Reported below.
  }
  throw journalErrors.make('journal_corrupt', `${path}: row ${seq} is no entry of a journal`, { path, row: seq });
}

/** Throws `journal_corrupt`, `journal_failed`. */
export function* readRows(
  db: Database.Database,
  path: string,
  fromSeq: number,
  wanted: (body: string) => boolean = () => true,
): Generator<JournalRow> {
  for (const row of readPages(db, path, fromSeq)) if (wanted(row.body)) yield rowOf(row, path);
}
