/**
 * How `panic` reaches a starting `run`: by a file written before sessions are listed. A start checks it once it can be
 * listed, so one finds the other.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readKillFile, writeKillFile } from './kill-file.ts';
import { sessionFiles } from '../store/store.ts';
import { processStartMs, wallMs } from '../clock/system-clock.ts';
import { cannotWrite } from '../store/cannot-write.ts';

const TICK_MS = 100;

/** The dot marks it as no session folder. */
const CALL = '.KILL';
/** The second is from earlier versions or a human. */
const CALLS = [CALL, sessionFiles.kill] as const;

/** `root`: of all sessions. Throws file system errors. */
export function callStarts(root: string, reason: string): void {
  if (existsSync(root)) writeKillFile(join(root, CALL), reason);
}

export interface StartCall {
  /** Throws `disk_full`, `not_writable`. */
  passOn(folder: string): void;
}

export function hearStarts(root: string): StartCall {
  const known = CALLS.map((name) => join(root, name)).map((file) => ({ file, before: look(file) }));
  return {
    passOn: (folder) => {
      const call = known.find(({ file, before }) => isNew(look(file), before));
      if (call === undefined) return;
      try {
        writeKillFile(join(folder, sessionFiles.kill), readKillFile(call.file) ?? 'panic');
      } catch (thrown) {
        throw cannotWrite(folder, thrown);
      }
    },
  };
}

interface Sight {
  /** Differs for each writing. */
  readonly mark: string;
  /** Unix ms. */
  readonly writtenAt: number;
}

function look(file: string): Sight | null {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (status === undefined) return null;
  return { mark: `${status.ino} ${status.mtimeNs}`, writtenAt: Number(status.mtimeMs) };
}

/** The mark covers a clock set during this start. */
function isNew(now: Sight | null, before: Sight | null): boolean {
  return now !== null && (now.mark !== before?.mark || isOfThisProcess(before));
}

function isOfThisProcess({ writtenAt }: Sight): boolean {
  return writtenAt >= processStartMs() - TICK_MS && writtenAt <= wallMs() + TICK_MS;
}
