/** A session's rotated log (P13): `.1` is the newest full file. */
import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../journal/files/files.ts';
import { messageOf } from '../../model/errors.ts';

export interface LogFileLimits {
  readonly bytesMax: number;
  readonly kept: number;
}

export const LOG_LIMITS: LogFileLimits = { bytesMax: 16 * 1024 * 1024, kept: 4 };

export interface LogFile {
  /** Never throws. */
  write(line: string): void;
}

/** Oldest first. */
export function logFiles(path: string, { kept }: LogFileLimits = LOG_LIMITS): readonly string[] {
  const names = Array.from({ length: kept }, (_, index) => `${path}.${kept - index}`);
  return [...names, path].filter((name) => existsSync(name));
}

export function openLogFile(path: string, limits: LogFileLimits, onFailure: (reason: string) => void): LogFile {
  makeFolder(dirname(path), 0o700);
  let handle = openSync(path, 'a', 0o600);
  let bytes = fstatSync(handle).size;
  let hasFailed = false;

  const makeRoom = (): void => {
    for (let index = limits.kept - 1; index >= 0; index--) {
      const older = index === 0 ? path : `${path}.${index}`;
      if (existsSync(older)) renameSync(older, `${path}.${index + 1}`);
    }
  };

  const turnOver = (): void => {
    // It is missing where an earlier attempt could not open the new file.
    if (existsSync(path)) makeRoom();
    const full = handle;
    handle = openSync(path, 'a', 0o600);
    bytes = 0;
    // Last: a closed descriptor may be reused at once.
    closeSync(full);
  };

  return {
    write: (line) => {
      const size = Buffer.byteLength(line);
      try {
        if (bytes > 0 && bytes + size > limits.bytesMax) turnOver();
        bytes += writeSync(handle, line);
        hasFailed = false;
      } catch (thrown) {
        if (!hasFailed) onFailure(`the log ${path} cannot be written: ${messageOf(thrown)}`);
        hasFailed = true;
      }
    },
  };
}
