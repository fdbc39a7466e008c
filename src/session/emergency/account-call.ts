/** `panic`'s call to an account's holder: a unique `KILL`, copied to `HEARD` once the latch is journalled. */
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Cancel, Clock } from '../../model/ports.ts';
import { PANIC_FLATTEN } from '../../risk/kill-switch.ts';
import { heardKill, type Latch } from './kill-file.ts';
import { writeOwnerFile } from '../store/owner-file.ts';
import { processStartMs, wallMs } from '../clock/system-clock.ts';

const LOOK_MS = 250;
/** File times are as coarse as the system tick. */
const TICK_MS = 100;
const FILES = { call: 'KILL', heard: 'HEARD' } as const;

/** Returns the text to expect in `HEARD`. Throws `disk_full`, `not_writable`. */
export function callAccount(folder: string, reason: string): string {
  const text = `${reason}\n${randomUUID()}\n`;
  writeOwnerFile(join(folder, FILES.call), text, { replace: true });
  return text;
}

/**
 * Also by a newer call that replaced it, since the latch was set after both. A call that is weaker, so that exits would go
 * on, is replaced in turn.
 */
export function hasHeard(folder: string, call: string): boolean {
  const heard = read(join(folder, FILES.heard));
  if (heard === call) return true;
  const newest = read(join(folder, FILES.call));
  if (newest === null || newest !== heard) return false;
  if (reasonOf(call) !== PANIC_FLATTEN || reasonOf(newest) === PANIC_FLATTEN) return true;
  try {
    writeOwnerFile(join(folder, FILES.call), call, { replace: true });
  } catch {
    // The next look tries it again.
  }
  return false;
}

export class AccountCalls {
  readonly #folder: string;
  #known: string | null;

  /** Heeds calls since this process started. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#known = isOfThisProcess(join(folder, FILES.call)) ? null : read(join(folder, FILES.call));
  }

  heed(latch: Latch): void {
    const call = read(join(this.#folder, FILES.call));
    if (call === null || call === this.#known) return;
    if (!heardKill(latch, reasonOf(call))) return;
    this.#known = call;
    try {
      writeOwnerFile(join(this.#folder, FILES.heard), call, { replace: true });
    } catch {
      // The caller then reports that no process answered.
    }
  }

  /** `enter` runs its argument in session time. */
  watch(clock: Clock, latch: Latch, enter: (run: () => void) => void): Cancel {
    return clock.every(LOOK_MS, () => {
      if (read(join(this.#folder, FILES.call)) !== this.#known) enter(() => this.heed(latch));
    });
  }
}

function reasonOf(call: string): string {
  return call.split('\n')[0] ?? '';
}

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
