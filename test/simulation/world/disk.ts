/**
 * The journal of a simulated machine: rows outlive its processes. An append is durable when it returns; it may fail (disk
 * full), and the process may die just before it or just after it. What may stand once only is refused a second time, as
 * the unique index of the SQLite store does. A human may put an older state of it back, write rows while nothing runs, and take
 * its files from under a process.
 */
import { bodyOf, GENESIS, linkHash, onceKey } from '../../../src/journal/chain.ts';
import { journalErrors } from '../../../src/journal/errors.ts';
import { LinkedFiles } from '../../../src/journal/files/linked-files.ts';
import type { JournalEntry, JournalRow, JournalStore } from '../../../src/model/entries/journal.ts';
import { replayRows } from '../../../src/spine/replay.ts';
import { snapshotOf } from '../../../src/spine/snapshot/snapshot.ts';
import { JOURNAL_NAME, JournalFiles } from './journal-files.ts';

/** Part of the rows that each start reads from a snapshot. */
const COVERED = 0.7;

/** What a process meets at its journal. */
export interface DiskFaults {
  readonly isDead: () => boolean;
  readonly isFull: () => boolean;
  /** This write fails, the next one may not. */
  readonly isBusy: () => boolean;
  /** May end the process: `before` the rows are durable, or `after`. */
  readonly boundary: (at: 'before' | 'after') => void;
  /** The rows that are durable, and their text. */
  readonly onAppend: (entries: readonly JournalEntry[], text: string) => void;
}

export class Disk {
  readonly files = new JournalFiles();
  readonly #rows: JournalRow[] = [];
  readonly #once = new Set<string>();
  /** How many rows there were after each append: a copy of a journal holds whole ones. */
  #ends: number[] = [];

  get rows(): readonly JournalRow[] {
    return this.#rows;
  }

  /** How many rows a copy has that was made then (Unix ms, by the clock of the rows); 0 before the first. */
  rowsAt(ms: number): number {
    return this.#ends.findLast((end) => (this.#rows[end - 1]?.ts ?? 0) <= ms) ?? 0;
  }

  /** How many rows are left when the last `count` appends are gone. */
  rowsWithout(count: number): number {
    return this.#ends.at(-1 - count) ?? 0;
  }

  /** Of the chain up to this row, as the SQLite store keeps it. */
  hashOf(seq: number): string | undefined {
    if (seq > this.#rows.length) return undefined;
    return this.#rows
      .slice(0, seq)
      .reduce((previous, row) => linkHash(previous, row.seq, row.ts, bodyOf(row.entry)), GENESIS);
  }

  /** The rows after these are gone, as if they had never been written. */
  cutTo(rows: number): void {
    this.#rows.length = rows;
    this.#ends = this.#ends.filter((end) => end <= rows);
    this.#once.clear();
    for (const { entry } of this.#rows) {
      const key = onceKey(entry);
      if (key !== null) this.#once.add(`${entry.kind} ${key}`);
    }
  }

  /** By a command, while no process runs: at the time of the last row. */
  write(entry: JournalEntry): void {
    this.#write(this.#rows.at(-1)?.ts ?? 0, [entry]);
  }

  open(faults: DiskFaults): JournalStore {
    const rows = this.#rows;
    const files = new LinkedFiles(JOURNAL_NAME, (path) => this.files.look(path));
    return {
      append: (ts, entries) => {
        if (entries.length === 0) return rows.length;
        faults.boundary('before');
        if (faults.isDead()) throw journalErrors.make('journal_failed', 'the process is dead');
        const missing = files.missing('rows');
        if (missing !== null) throw missing;
        if (faults.isFull()) throw journalErrors.make('journal_full', 'the simulated disk is full');
        if (faults.isBusy()) throw journalErrors.make('journal_failed', 'the simulated disk is busy');
        const text = this.#write(ts, entries);
        faults.onAppend(entries, text);
        faults.boundary('after');
        return rows.length;
      },
      *read(fromSeq = 1) {
        for (let index = fromSeq - 1; index < rows.length; index++) {
          const row = rows[index];
          if (row !== undefined) yield row;
        }
      },
      // None has a row: what a start reads is the same, and the worlds stay what they are.
      lastSnapshot: () => snapshotOf(replayRows(rows.slice(0, Math.floor(rows.length * COVERED)))),
      get lastSeq() {
        return rows.length;
      },
      get failing() {
        return files.gone;
      },
      idle: () => void files.missing('all'),
      close: () => {},
    };
  }

  #write(ts: number, entries: readonly JournalEntry[]): string {
    const keys: string[] = [];
    for (const entry of entries) {
      const key = onceKey(entry);
      if (key === null) continue;
      const full = `${entry.kind} ${key}`;
      if (this.#once.has(full) || keys.includes(full))
        throw journalErrors.make('journal_failed', `${full} stands in the journal already`);
      keys.push(full);
    }
    for (const key of keys) this.#once.add(key);
    // As text and back: a row must not hold on to anything that the process changes later.
    const text = JSON.stringify(entries);
    const kept = JSON.parse(text) as readonly JournalEntry[];
    for (const entry of kept) this.#rows.push({ seq: this.#rows.length + 1, ts, entry });
    this.#ends.push(this.#rows.length);
    return text;
  }
}
