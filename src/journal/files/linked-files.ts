/**
 * Detects removed, replaced or cut journal files, which SQLite does not notice. Looks by name, because closing a
 * descriptor drops SQLite's locks. The finding is permanent, because SQLite would write its log to a foreign file.
 */
import { closeSync, openSync, readSync, statSync, type BigIntStats } from 'node:fs';
import type Database from 'better-sqlite3';
import type { TidewireError } from '../../model/errors.ts';
import { journalErrors } from '../errors.ts';

/** Bytes of a log with one page of any size. */
const LOG_BYTES_MIN = 512;

interface Known {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
  bytes: bigint;
}

/** Identity of a file; undefined where missing. */
export type FileLook = (path: string) => Pick<BigIntStats, 'dev' | 'ino' | 'size'> | undefined;

const lookAtDisk: FileLook = (path) => statSync(path, { bigint: true, throwIfNoEntry: false });

/** Whether the log was cut and has grown again, leaving a hole. */
export type HoleLook = (bytes: bigint) => boolean;

export class LinkedFiles {
  readonly #database: string;
  readonly #log: string;
  readonly #look: FileLook;
  readonly #hasHole: HoleLook;
  readonly #known = new Map<string, Known>();
  #gone: TidewireError | null = null;

  /** Needs the log. Throws if a file cannot be examined. */
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

  /** Result of the last check; null: nothing is missing. */
  get gone(): TidewireError | null {
    return this.#gone;
  }

  /** Checks now. */
  missing(of: 'rows' | 'all'): TidewireError | null {
    if (this.#gone !== null) return this.#gone;
    for (const known of this.#known.values()) {
      if (of === 'rows' && known.path !== this.#database && known.path !== this.#log) continue;
      const doubt = this.#doubtOf(known);
      if (doubt === null) continue;
      this.#gone = journalErrors.make('journal_gone', doubt, { path: this.#database });
      break;
    }
    return this.#gone;
  }

  /** The log is no longer empty. */
  appended(): void {
    const log = this.#known.get(this.#log);
    if (log !== undefined && log.bytes < LOG_BYTES_MIN) log.bytes = BigInt(LOG_BYTES_MIN);
  }

  /** The log was folded in and may be shorter. */
  folded(): void {
    const log = this.#known.get(this.#log);
    if (log !== undefined) log.bytes = this.#look(this.#log)?.size ?? 0n;
  }

  #doubtOf(known: Known): string | null {
    try {
      return this.#changeOf(known);
    } catch (thrown) {
      return `${known.path} cannot be examined: ${String(thrown)}`;
    }
  }

  #changeOf(known: Known): string | null {
    const { path, device, inode, bytes } = known;
    const status = this.#look(path);
    if (status === undefined) return `${path} was removed or moved away`;
    if (status.dev !== device || status.ino !== inode) return `${path} is another file than the one that is open`;
    if (status.size < bytes) return `${path} was cut to ${status.size} bytes, and had ${bytes} or more`;
    if (path === this.#log && this.#hasHole(bytes))
      return `${path} was truncated and then written again behind the cut`;
    known.bytes = status.size;
    return null;
  }
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const WORD_BYTES = 4;

/**
 * Checks the log's last known frame by its own descriptor, on which SQLite has no locks. A log that was cut and has
 * grown again has a hole. A frame's first word, its page number, is never 0.
 */
export class LogFrames {
  readonly #descriptor: number;
  readonly #frameBytes: number;
  readonly #word = Buffer.alloc(WORD_BYTES);

  /** Throws where the log cannot be opened. */
  constructor(path: string, pageBytes: number) {
    this.#descriptor = openSync(path, 'r');
    this.#frameBytes = FRAME_HEADER_BYTES + pageBytes;
  }

  /** True when the frame that ends at `bytes` is gone. Throws if unreadable. */
  readonly hasHole = (bytes: bigint): boolean => {
    const at = Number(bytes) - this.#frameBytes;
    if (at < LOG_HEADER_BYTES || (at - LOG_HEADER_BYTES) % this.#frameBytes !== 0) return false;
    this.#word.fill(0);
    readSync(this.#descriptor, this.#word, 0, WORD_BYTES, at);
    return this.#word.readUInt32BE() === 0;
  };

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Held here, because a collected connection is closed. Closing would copy the log, whose hole would zero pages. */
const abandoned = new Set<Database.Database>();

/** For a database whose files were replaced. Node closes it at a normal end, but not at `process.exit`. */
export function abandon(db: Database.Database): void {
  if (abandoned.size === 0) process.once('exit', () => process.exit());
  abandoned.add(db);
}
