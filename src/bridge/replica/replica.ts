/**
 * A copy of a session's state, fed by the rows of its journal through the same replay that a restart uses. It reads the
 * file read-only, so that the session that writes it notices nothing:
 *
 *   journal (WAL) ─▶ catchUp ─▶ replay: state · digest: alarms, gates, fills · ring: newest rows ─▶ listeners
 */
import type Database from 'better-sqlite3';
import type { StoredRow } from '../../journal/chain.ts';
import { readPages, readRows, rowOf } from '../../journal/rows.ts';
import { resumed } from '../../journal/resume.ts';
import { newestSnapshot } from '../../journal/snapshots.ts';
import { journalPath, openReadonly, readLandmarks } from '../../journal/verify.ts';
import type { JournalRow } from '../../model/entries/journal.ts';
import type { Cancel } from '../../model/ports.ts';
import { knowsKey, REMOTE_COMMAND } from '../../spine/command-keys.ts';
import type { Replay } from '../../spine/replay.ts';
import type { FillRow } from '../schemas/orders.ts';
import { Digest, FILLS_MAX, type KnownCommand } from './digest.ts';
import { mayBeOfFills, olderFills } from './older-fills.ts';

const RING_MAX = 4_096;
/** Rows before the end that the digest sees when the replica is opened. */
const TAIL_ROWS = 20_000;

/** With what is new, oldest first. */
export type RowsListener = (rows: readonly JournalRow[]) => void;

export class Replica {
  readonly replay: Replay;
  readonly digest = new Digest();
  readonly #db: Database.Database;
  readonly #path: string;
  readonly #listeners = new Set<RowsListener>();
  #ring: JournalRow[] = [];
  /** Characters of all rows up to each of the newest, `TAIL_ROWS` of them at least. */
  #ends: number[] = [];
  #bytes = 0;
  #seq = 0;
  /** The first row that the digest has seen whole. */
  readonly #first: number;
  #olderFills: Promise<readonly FillRow[]> | null = null;

  /** Of a session folder. Throws `journal_not_found` (also before the first row), `journal_corrupt`, `journal_failed`. */
  constructor(place: string) {
    this.#path = journalPath(place);
    this.#db = openReadonly(this.#path);
    try {
      this.replay = resumed({
        read: (from = 1) => readRows(this.#db, this.#path, from),
        lastSnapshot: () => newestSnapshot(this.#db, this.#path),
      });
      this.#seq = this.replay.rows;
      this.#first = Math.max(1, this.#seq - TAIL_ROWS);
      this.#landmarks();
      for (const stored of readPages(this.#db, this.#path, this.#first)) this.#take(stored);
    } catch (thrown) {
      this.#db.close();
      throw thrown;
    }
  }

  /** Number of the last row that it has seen. */
  get seq(): number {
    return this.#seq;
  }

  /** Reads what has become durable since; true when there was something. */
  catchUp(): boolean {
    const fresh: JournalRow[] = [];
    for (const stored of readPages(this.#db, this.#path, this.#seq + 1)) fresh.push(this.#take(stored));
    if (fresh.length === 0) return false;
    for (const listener of this.#listeners) listener(fresh);
    return true;
  }

  /** Rows after a number, oldest first, at most `limit`. */
  rows(after: number, limit: number): readonly JournalRow[] {
    const first = this.#ring[0]?.seq ?? Number.POSITIVE_INFINITY;
    if (after + 1 >= first) {
      const from = after + 1 - first;
      return this.#ring.slice(from, from + limit);
    }
    const rows: JournalRow[] = [];
    for (const row of readRows(this.#db, this.#path, after + 1)) {
      if (rows.length >= limit || row.seq > this.#seq) break;
      rows.push(row);
    }
    return rows;
  }

  /** The newest of the whole journal, at most `FILLS_MAX`, oldest first. */
  async fills(): Promise<readonly FillRow[]> {
    const { fills } = this.digest;
    if (fills.length >= FILLS_MAX || this.#first === 1) return fills;
    this.#olderFills ??= olderFills((from, to) => this.#rowsOfFills(from, to), this.#first, FILLS_MAX - fills.length);
    return [...(await this.#olderFills), ...fills].slice(-FILLS_MAX);
  }

  /** Of any age, while its key is known (docs/bridge.md). */
  command(key: string): KnownCommand | undefined {
    const known = this.digest.command(key);
    if (known !== undefined || !knowsKey(this.replay.state, key)) return known;
    const named = JSON.stringify(key);
    const older = new Digest();
    const isOfKey = (body: string): boolean => body.includes(named) && body.includes(`"${REMOTE_COMMAND}`);
    for (const row of readRows(this.#db, this.#path, 1, { wanted: isOfKey })) if (row.seq < this.#first) older.row(row);
    return older.command(key);
  }

  /** Characters of the rows after a number; of the newest `TAIL_ROWS` at least. */
  bytesAfter(after: number): number {
    const first = this.#seq - this.#ends.length + 1;
    return this.#bytes - (this.#ends[Math.max(0, after - first)] ?? this.#bytes);
  }

  listen(listener: RowsListener): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#db.close();
  }

  #rowsOfFills(from: number, to: number): readonly JournalRow[] {
    const rows: JournalRow[] = [];
    for (const stored of readPages(this.#db, this.#path, from)) {
      if (stored.seq >= to) break;
      if (mayBeOfFills(stored.body)) rows.push(rowOf(stored, this.#path));
    }
    return rows;
  }

  #take(stored: StoredRow): JournalRow {
    const row = rowOf(stored, this.#path);
    if (row.seq > this.#seq) {
      this.replay.row(row);
      this.#seq = row.seq;
    }
    this.digest.row(row);
    this.#bytes += stored.body.length;
    this.#ring.push(row);
    this.#ends.push(this.#bytes);
    if (this.#ring.length > 2 * RING_MAX) this.#ring = this.#ring.slice(-RING_MAX);
    if (this.#ends.length > 2 * TAIL_ROWS) this.#ends = this.#ends.slice(-TAIL_ROWS);
    return row;
  }

  /** Alarms and gates older than the tail. */
  #landmarks(): void {
    const tail = this.#seq - TAIL_ROWS;
    if (tail <= 0) return;
    const older = ['session', 'gate', 'alarm'].flatMap((kind) => readLandmarks(this.#path, kind) ?? []);
    for (const row of older.toSorted((left, right) => left.seq - right.seq)) if (row.seq < tail) this.digest.row(row);
  }
}
