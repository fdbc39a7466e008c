/**
 * The files of an open journal, as their names have them: SQLite goes on writing to a file that was removed, moved away,
 * replaced or cut, and a row that nobody can read again allows nothing. Asked before each append and in idle moments, by
 * name alone, since closing another descriptor of these files would drop SQLite's locks. Of the SQLite store.
 */
import { statSync, type BigIntStats } from 'node:fs';

/** Of a write-ahead log with one page in it, whatever the size of a page. */
const LOG_BYTES_MIN = 512;

interface Known {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  bytes: bigint;
}

function look(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

export class LinkedFiles {
  readonly #database: string;
  readonly #log: string;
  readonly #known = new Map<string, Known>();

  /** To be made once the log is there. Throws where a file cannot be looked at. */
  constructor(database: string) {
    this.#database = database;
    this.#log = `${database}-wal`;
    for (const path of [this.#database, this.#log, `${database}-shm`]) {
      const status = look(path);
      if (status !== undefined)
        this.#known.set(path, { path, device: status.dev, inode: status.ino, bytes: status.size });
    }
  }

  /** What has happened to the files that rows go to; null for nothing. */
  doubt(): string | null {
    return this.#doubtOf(this.#known.get(this.#database)) ?? this.#doubtOf(this.#known.get(this.#log));
  }

  /** That of every file. */
  doubtOfAll(): string | null {
    for (const known of this.#known.values()) {
      const doubt = this.#doubtOf(known);
      if (doubt !== null) return doubt;
    }
    return null;
  }

  /** Rows went to the log: it is no longer empty. */
  appended(): void {
    const log = this.#known.get(this.#log);
    if (log !== undefined && log.bytes < LOG_BYTES_MIN) log.bytes = BigInt(LOG_BYTES_MIN);
  }

  /** The log was folded in by ourselves, and may be shorter. */
  folded(): void {
    const log = this.#known.get(this.#log);
    if (log !== undefined) log.bytes = look(this.#log)?.size ?? 0n;
  }

  #doubtOf(known: Known | undefined): string | null {
    if (known === undefined) return null;
    const { path, device, inode, bytes } = known;
    const status = lookAgain(path);
    if (typeof status === 'string') return status;
    if (status.dev !== device || status.ino !== inode) return `${path} is another file than the one that is open`;
    if (status.size < bytes) return `${path} was cut to ${status.size} bytes, and had ${bytes} or more`;
    known.bytes = status.size;
    return null;
  }
}

function lookAgain(path: string): BigIntStats | string {
  try {
    return look(path) ?? `${path} was removed or moved away`;
  } catch (thrown) {
    return `${path} cannot be looked at: ${String(thrown)}`;
  }
}
