/** A journal row as the API gives it: `entry` as `journal export` writes it, and its fields beside `seq` and `ts`. */
import type { JournalRow } from '../../model/entries/journal.ts';
import type { EntryRow } from '../schemas/entries.ts';

export function entryRowOf({ seq, ts, entry }: JournalRow): EntryRow {
  return { ...entry, seq, ts, kind: entry.kind, entry: entry as EntryRow['entry'] };
}
