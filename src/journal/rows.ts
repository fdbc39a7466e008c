/** Reads in pages, because an open query blocks writers and checkpoints. */
import type Database from 'better-sqlite3';
import type { JournalEntry, JournalRow } from '../model/entries/journal.ts';
import { segmentWith } from './archive/archive-table.ts';
import { readSegment } from './archive/segment-files.ts';
import { GENESIS, linkProblem, type StoredRow } from './chain.ts';
import { corrupt } from './errors.ts';
import { guarded } from './sqlite-errors.ts';

const PAGE_ROWS = 1_000;

/** Throws `journal_corrupt`, `journal_failed`. */
export function* readPages(db: Database.Database, path: string, fromSeq: number): Generator<StoredRow> {
  const guard = <Answer>(run: () => Answer): Answer => guarded(path, 'cannot read', run);
  const query = guard(() =>
    db.prepare<[number, number], StoredRow>(
      'SELECT seq, ts, body, hash, kind, once FROM journal WHERE seq >= ? ORDER BY seq LIMIT ?',
    ),
  );
  // One transaction, because rows may be archived meanwhile.
  const page = db.transaction((from: number) => {
    const segment = segmentWith(db, from);
    return { segment, rows: segment === undefined ? query.all(from, PAGE_ROWS) : [] };
  });
  let from = Math.max(1, fromSeq);
  for (;;) {
    const { segment, rows } = guard(() => page(from));
    if (segment === undefined) yield* rows;
    else for (const row of readSegment(db, segment)) if (row.seq >= from) yield row;
    if (segment === undefined && rows.length < PAGE_ROWS) return;
    from = (segment?.last ?? rows.at(-1)?.seq ?? from) + 1;
  }
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

/** Evidence that every row was kept. */
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
  throw corrupt(path, `: ${now.rows} rows ${when}, ${rows} before${last}`);
}

/** Throws `journal_corrupt`. */
export function rowOf({ seq, ts, body }: StoredRow, path: string): JournalRow {
  try {
    const entry = JSON.parse(body) as JournalEntry | null;
    if (typeof entry?.kind === 'string') return { seq, ts, entry };
  } catch {
    // The loop below reports it.
  }
  throw corrupt(path, `: row ${seq} is no entry of a journal`, seq);
}

/**
 * `proves`: also checks that each row follows the one before it. The link of a first row other than 1 is not checked.
 */
export interface RowsWanted {
  /** Other rows are left out. */
  readonly wanted?: ((body: string) => boolean) | undefined;
  readonly proves?: boolean;
}

/** Throws `journal_corrupt`, `journal_failed`. */
export function* readRows(
  db: Database.Database,
  path: string,
  fromSeq: number,
  { wanted = () => true, proves = false }: RowsWanted = {},
): Generator<JournalRow> {
  let last: Pick<StoredRow, 'hash' | 'seq'> | null = fromSeq === 1 ? { seq: 0, hash: GENESIS } : null;
  for (const row of readPages(db, path, fromSeq)) {
    const problem = last === null || !proves ? undefined : linkProblem(row, last.seq, last.hash);
    if (problem !== undefined) throw corrupt(path, `: ${problem}`, row.seq);
    if (wanted(row.body)) yield rowOf(row, path);
    last = row;
  }
}
