/** A journal that says which rows have become durable. It adds a call to an append and nothing else. */
import type { JournalEntry, JournalStore } from '../../model/journal.ts';

/** `ts` of all, `lastSeq` of the last of `entries`. Must not throw. */
export type Appended = (ts: number, entries: readonly JournalEntry[], lastSeq: number) => void;

export function noticedJournal(journal: JournalStore, appended: Appended): JournalStore {
  const append: JournalStore['append'] = (ts, entries) => {
    const seq = journal.append(ts, entries);
    appended(ts, entries, seq);
    return seq;
  };
  // Its getters are read through the prototype.
  return Object.create(journal, { append: { value: append } }) as JournalStore;
}
