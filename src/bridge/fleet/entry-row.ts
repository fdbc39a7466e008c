/** A journal row as the API gives it: the entry of `journal export`, with its kind beside it. */
import type { JournalRow } from '../../model/journal.ts';
import type { EntryRow } from '../schemas/entries.ts';

export function entryRowOf({ seq, ts, entry }: JournalRow): EntryRow {
  return { seq, ts, kind: entry.kind, entry: entry as EntryRow['entry'] };
}
