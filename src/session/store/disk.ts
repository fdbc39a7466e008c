/** Free space and durable writes of the journal's disk. */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { makeFolder } from '../../journal/files/files.ts';
import { sessionErrors } from '../errors.ts';
import { isProcess } from './is-process.ts';
import { cannotWrite } from './cannot-write.ts';

const FREE_BYTES_MIN = 1e9;
const FREE_PER_JOURNAL = 10;

export interface FreeSpace {
  readonly freeBytes: number;
  readonly wantedBytes: number;
}

/** Throws `disk_full`, `not_writable`. */
export function freeSpace(folder: string, journalBytes = 0): FreeSpace {
  try {
    makeFolder(folder, 0o700);
    const { bavail, bsize } = statfsSync(folder);
    return { freeBytes: bavail * bsize, wantedBytes: Math.max(FREE_BYTES_MIN, FREE_PER_JOURNAL * journalBytes) };
  } catch (thrown) {
    throw cannotWrite(folder, thrown);
  }
}

export function spaceDoubt(folder: string, { freeBytes, wantedBytes }: FreeSpace): string | null {
  if (freeBytes >= wantedBytes) return null;
  return `${folder} has ${gigabytes(freeBytes)} GB left; its journal wants ${gigabytes(wantedBytes)} GB`;
}

/** Throws `disk_low`, `disk_full`, `not_writable`. */
export function requireFreeSpace(folder: string, journalBytes = 0): void {
  const space = freeSpace(folder, journalBytes);
  const doubt = spaceDoubt(folder, space);
  if (doubt !== null) throw sessionErrors.make('disk_low', doubt, { path: folder, ...space });
}

export interface DurableWrites {
  readonly medianMs: number;
  readonly doubt: string | null;
  readonly remedy: string;
}

const SLOW_MS = 20;
const LYING_MS = 0.02;
const ROUNDS = 15;

/** Throws `disk_full`, `not_writable`. */
export function probeWrites(folder: string): DurableWrites {
  const file = join(folder, `.probe-${process.pid}`);
  let times: readonly number[];
  try {
    makeFolder(folder, 0o700);
    removeStale(folder);
    times = durableWritesMs(file);
  } catch (thrown) {
    throw cannotWrite(file, thrown);
  }
  const medianMs = times.toSorted((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? 0;
  const text = `a durable write takes ${medianMs.toFixed(2)} ms`;
  if (medianMs > SLOW_MS)
    return {
      medianMs,
      doubt: text,
      remedy: 'Put journal.dir on a faster disk: every order waits for one such write.',
    };
  if (medianMs < LYING_MS)
    return {
      medianMs,
      doubt: `${text}: too fast to be true`,
      remedy: 'This disk seems to cache writes; a power cut could lose the newest orders.',
    };
  return { medianMs, doubt: null, remedy: '' };
}

function durableWritesMs(file: string): readonly number[] {
  const handle = openSync(file, 'w', 0o600);
  const times: number[] = [];
  try {
    const bytes = Buffer.alloc(4096, 1);
    for (let round = 0; round < ROUNDS; round++) {
      writeSync(handle, bytes);
      const before = performance.now();
      fsyncSync(handle);
      times.push(performance.now() - before);
    }
  } finally {
    closeSync(handle);
    // A process that does not see this one may have removed it.
    rmSync(file, { force: true });
  }
  return times;
}

/**
 * Files of processes that died in their probe. A probe keeps its name until its end: btrfs does not sync a file without
 * one.
 */
function removeStale(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^\.probe-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isProcess(Number(pid))) removeIfAllowed(join(folder, name));
  }
}

function removeIfAllowed(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It belongs to another user, and is harmless.
  }
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
