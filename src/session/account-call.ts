/**
 * How `panic` calls the process that holds an account, whatever became of the folder of its session: a file `KILL` beside the
 * lock, which differs from call to call, and `HEARD`, where the session repeats it once its latch is on and in its journal.
 * A call from before the process began is of no matter to it, as with `start-call.ts`.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Cancel, Clock } from '../model/ports.ts';
import { heardKill, type Latch } from './kill-file.ts';
import { writeOwnerFile } from './owner-file.ts';
import { processStartMs, wallMs } from './system-clock.ts';

const LOOK_MS = 250;
/** Times of files are as coarse as the system's tick. */
const TICK_MS = 100;
const FILES = { call: 'KILL', heard: 'HEARD' } as const;

/** Answers what has to be repeated. Throws `disk_full`. */
export function callAccount(folder: string, reason: string): string {
  const text = `${reason}\n${randomUUID()}\n`;
  writeOwnerFile(join(folder, FILES.call), text, { replace: true });
  return text;
}

export function hasHeard(folder: string, call: string): boolean {
  return read(join(folder, FILES.heard)) === call;
}

/** What is called in the folder of an account that this process holds. */
export class AccountCalls {
  readonly #folder: string;
  #known: string | null;

  /** From here on; what was called since this process began counts, too. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#known = isOfThisProcess(join(folder, FILES.call)) ? null : read(join(folder, FILES.call));
  }

  /** Latches where there is a new call, and repeats it once it stands in the journal. */
  heed(latch: Latch): void {
    const call = read(join(this.#folder, FILES.call));
    if (call === null || call === this.#known) return;
    if (!heardKill(latch, call.split('\n')[0] ?? '')) return;
    this.#known = call;
    try {
      writeOwnerFile(join(this.#folder, FILES.heard), call, { replace: true });
    } catch {
      // Whoever called says that nobody answered.
    }
  }

  /** `enter` hands what is to be done over to the session, inside its time. */
  watch(clock: Clock, latch: Latch, enter: (run: () => void) => void): Cancel {
    return clock.every(LOOK_MS, () => {
      if (read(join(this.#folder, FILES.call)) !== this.#known) enter(() => this.heed(latch));
    });
  }
}

/** Null where there is none, or none that can be read. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function isOfThisProcess(file: string): boolean {
  const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return writtenAt !== undefined && writtenAt >= processStartMs() - TICK_MS && writtenAt <= wallMs() + TICK_MS;
}
