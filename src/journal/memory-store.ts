/** Journal of a backtest: in memory, without hashes, bounded. Keeps entries by reference, because they never change. */
import type { JournalEntry, JournalRow, JournalStore } from '../model/entries/journal.ts';

/** `rowsMax`: older rows are dropped; 0 keeps none. */
export function createMemoryJournal({ rowsMax = 100_000 }: { readonly rowsMax?: number } = {}): JournalStore {
  let rows: JournalRow[] = [];
  let lastSeq = 0;
  return {
    append: (ts, entries: readonly JournalEntry[]) => {
      for (const entry of entries) rows.push({ seq: ++lastSeq, ts, entry });
      // Cut at twice the bound, so copies are rare.
      if (rows.length > rowsMax * 2) rows = rowsMax === 0 ? [] : rows.slice(-rowsMax);
      return lastSeq;
    },
    *read(fromSeq = 1) {
      for (const row of rows.slice(-rowsMax)) if (row.seq >= fromSeq) yield row;
    },
    keepsNothing: rowsMax === 0,
    get lastSeq() {
      return lastSeq;
    },
    idle: () => {},
    close: () => {},
  };
}
