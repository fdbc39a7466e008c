/**
 * The files of the journal of a simulated machine, by their names, as `src/journal/files/linked-files.ts` looks at them. A
 * human takes them from under a process that has them open, and puts them back as they were before the next start. What the
 * process believes to write meanwhile nobody can read again.
 */
import type { FileLook } from '../../../src/journal/files/linked-files.ts';

export const JOURNAL_NAME = 'journal.db';
const LOG_NAME = `${JOURNAL_NAME}-wal`;
const BYTES = 4096n;

export const takingWays = [
  'folder moved',
  'database removed',
  'database replaced',
  'log removed',
  'log replaced',
  'log cut',
] as const;
export type TakingWay = (typeof takingWays)[number];

type File = ReturnType<FileLook>;

export class JournalFiles {
  #taken: TakingWay | null = null;

  get areGone(): boolean {
    return this.#taken !== null;
  }

  take(way: TakingWay): void {
    this.#taken = way;
  }

  putBack(): void {
    this.#taken = null;
  }

  look(path: string): File {
    const way = this.#taken;
    const file = { dev: 1n, ino: path === JOURNAL_NAME ? 1n : 2n, size: BYTES };
    const isTaken = way?.startsWith(path === LOG_NAME ? 'log' : 'database') === true;
    if (way === 'folder moved' || (isTaken && way.endsWith('removed'))) return undefined;
    if (isTaken && way.endsWith('replaced')) return { ...file, ino: file.ino + 2n };
    return isTaken ? { ...file, size: 0n } : file;
  }
}
