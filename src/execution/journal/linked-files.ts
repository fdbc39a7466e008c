/**
 * The files of an open journal, as their names have them: SQLite goes on writing to a file that was removed, moved away,
 * replaced or cut, and a row that nobody can read again allows nothing. Asked before each append and in idle moments, by
 * name, since closing another descriptor of the database would drop SQLite's locks; the log has none. What was gone once
 * stays so: SQLite would put the rest of its log into what is not the journal. Used by the SQLite store and by the disk of
 * the simulated world.
 */
import { statSync, type BigIntStats } from 'node:fs';
import type { TidewireError } from '../../model/errors.ts';
import { executionErrors } from '../errors.ts';

/** Of a write-ahead log with one page in it, whatever the size of a page. */
const LOG_BYTES_MIN = 512;

interface Known {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  bytes: bigint;
}

/** What tells one file from another; undefined where there is none of that name. */
export type FileLook = (path: string) => Pick<BigIntStats, 'dev' | 'ino' | 'size'> | undefined;

const lookAtDisk: FileLook = (path) => statSync(path, { bigint: true, throwIfNoEntry: false });

/** True where the log has a hole although it is as long as it was: it was cut between a look and the write after it. */
export type HoleLook = (bytes: bigint) => boolean;

export class LinkedFiles {
  readonly #database: string;
  readonly #log: string;
  readonly #look: FileLook;
  readonly #hasHole: HoleLook;
  readonly #known = new Map<string, Known>();
  #gone: TidewireError | null = null;

  /** To be made once the log is there. Throws where a file cannot be looked at. */
  constructor(database: string, look = lookAtDisk, hasHole: HoleLook = () => false) {
    this.#database = database;
    this.#look = look;
    this.#hasHole = hasHole;
    this.#log = `${database}-wal`;
    for (const path of [this.#database, this.#log, `${database}-shm`]) {
      const status = look(path);
      if (status !== undefined)
        this.#known.set(path, { path, device: status.dev, inode: status.ino, bytes: status.size });
    }
  }

  /** Why nothing may be written any more, as far as was looked; null while there is no reason. */
  get gone(): TidewireError | null {
    return this.#gone;
  }

  /** The same, looked for now: at the files that rows go to, or at all. */
  missing(of: 'rows' | 'all'): TidewireError | null {
    if (this.#gone !== null) return this.#gone;
    for (const known of this.#known.values()) {
      if (of === 'rows' && known.path !== this.#database && known.path !== this.#log) continue;
      const doubt = this.#doubtOf(known);
      if (doubt === null) continue;
      this.#gone = executionErrors.make('journal_gone', doubt, { path: this.#database });
      break;
    }
    return this.#gone;
  }

  /** Rows went to the log: it is no longer empty. */
  appended(): void {
    const log = this.#known.get(this.#log);
    if (log !== undefined && log.bytes < LOG_BYTES_MIN) log.bytes = BigInt(LOG_BYTES_MIN);
  }

  /** The log was folded in by ourselves, and may be shorter. */
  folded(): void {
    const log = this.#known.get(this.#log);
    if (log !== undefined) log.bytes = this.#look(this.#log)?.size ?? 0n;
  }

  #doubtOf(known: Known): string | null {
    try {
      return this.#changeOf(known);
    } catch (thrown) {
      return `${known.path} cannot be looked at: ${String(thrown)}`;
    }
  }

  #changeOf(known: Known): string | null {
    const { path, device, inode, bytes } = known;
    const status = this.#look(path);
    if (status === undefined) return `${path} was removed or moved away`;
    if (status.dev !== device || status.ino !== inode) return `${path} is another file than the one that is open`;
    if (status.size < bytes) return `${path} was cut to ${status.size} bytes, and had ${bytes} or more`;
    if (path === this.#log && this.#hasHole(bytes)) return `${path} was cut, and written to again behind the cut`;
    known.bytes = status.size;
    return null;
  }
}
