/** Reads stored rows in pages, so that no query stays open between them (an open one would block writers and checkpoints). */
import type Database from 'better-sqlite3';

export interface StoredRow {
  readonly seq: number;
  readonly ts: number;
  readonly body: string;
  readonly hash: string;
}

const PAGE_ROWS = 1_000;

export function* readPages(db: Database.Database, fromSeq: number): Generator<StoredRow> {
  const page = db.prepare<[number, number], StoredRow>(
    'SELECT seq, ts, body, hash FROM journal WHERE seq >= ? ORDER BY seq LIMIT ?',
  );
  let from = fromSeq;
  for (;;) {
    const rows = page.all(from, PAGE_ROWS);
    yield* rows;
    if (rows.length < PAGE_ROWS) return;
    from = (rows.at(-1)?.seq ?? from) + 1;
  }
}
