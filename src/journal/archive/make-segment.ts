/** Writes the next segment beside the writer, on its own thread. */
import type { Segment } from '../../model/entries/archive-segment.ts';
import { readMeta } from '../schema.ts';
import { readPages } from '../rows.ts';
import { GENESIS, type StoredRow } from '../chain.ts';
import { ARCHIVABLE_KEY } from '../snapshots.ts';
import { reading } from '../verify.ts';
import { lastSegment } from './archive-table.ts';
import { writeSegment } from './segment-files.ts';
import { packed } from './segment.ts';

const SEGMENT_ROWS = 50_000;

/** Null when nothing may be archived. Throws read and write errors, archiving nothing. */
export function makeSegment(place: string, rowsMax = SEGMENT_ROWS): Segment | null {
  return reading(place, (db, path) => {
    const known = lastSegment(db);
    const first = (known?.last ?? 0) + 1;
    const last = Math.min(Number(readMeta(db, ARCHIVABLE_KEY) ?? 0), first + rowsMax - 1);
    if (last < first) return null;
    const rows: StoredRow[] = [];
    for (const row of readPages(db, path, first)) {
      if (row.seq > last) break;
      rows.push(row);
    }
    const segment = { first, last, before: known?.hash ?? GENESIS, hash: rows.at(-1)?.hash ?? '' };
    writeSegment(path, segment, packed(rows));
    return segment;
  });
}
