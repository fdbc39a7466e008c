/**
 * How `panic` reaches a `run` that is starting: until its session has a folder there is none to put a kill file into. So a
 * panic puts one beside the sessions, before it looks for them, and a start looks at it when its session can be found: it
 * sees the file, or the panic finds the session. The file stays, since a panic cannot know who is starting (it loads no
 * database to ask the locks). It is for processes that had begun by then: later ones are another command of a human.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readKillFile, writeKillFile } from './kill-file.ts';
import { sessionFiles } from './store.ts';
import { processStartMs, wallMs } from './system-clock.ts';
import { cannotWrite } from './cannot-write.ts';

/** Times of files are as coarse as the system's tick. */
const TICK_MS = 100;

/** Begins with a dot: what does not is a session's folder (cli.md, "What outside checks use"). */
const CALL = '.KILL';
/** Also heeded: where earlier versions put it, and where somebody may put one by hand. */
const CALLS = [CALL, sessionFiles.kill] as const;

/** `root`: the folder of all sessions. Throws what the file system says. */
export function callStarts(root: string, reason: string): void {
  if (existsSync(root)) writeKillFile(join(root, CALL), reason);
}

export interface StartCall {
  /**
   * Puts what a panic said since this process began into the session's folder, where it lasts until it is in the
   * journal. To be called once the session can be found, and before it decides. Throws `disk_full`.
   */
  passOn(folder: string): void;
}

/** Listens from now on; what was said before now counts by its time. */
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
  /** Another one: it was written meanwhile. */
  readonly mark: string;
  /** Unix ms. */
  readonly writtenAt: number;
}

function look(file: string): Sight | null {
  const status = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (status === undefined) return null;
  return { mark: `${status.ino} ${status.mtimeNs}`, writtenAt: Number(status.mtimeMs) };
}

/** The time alone would do, but for a clock that is set while this process starts. */
function isNew(now: Sight | null, before: Sight | null): boolean {
  return now !== null && (now.mark !== before?.mark || isOfThisProcess(before));
}

function isOfThisProcess({ writtenAt }: Sight): boolean {
  return writtenAt >= processStartMs() - TICK_MS && writtenAt <= wallMs() + TICK_MS;
}
