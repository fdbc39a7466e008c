/** The kill file of `panic`, removed once the latch is journalled. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Executor } from '../../execution/executor.ts';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock } from '../../model/ports.ts';

const LOOK_MS = 250;

export type Latch = Pick<Executor, 'kill' | 'journalFailure'>;

export function writeKillFile(file: string, reason: string): void {
  writeFileSync(file, `${reason}\n`, { mode: 0o600 });
}

/** An unreadable one kills too. */
export function readKillFile(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    return readFileSync(file, 'utf8').trim() || 'panic';
  } catch (thrown) {
    return `panic (${messageOf(thrown)})`;
  }
}

/** Call also before the first decision. */
export function heedKillFile(file: string, latch: Latch): void {
  const reason = readKillFile(file);
  if (reason !== null && heardKill(latch, reason)) dropKillFile(file);
}

export function heardKill(latch: Latch, reason: string): boolean {
  latch.kill(reason);
  return latch.journalFailure === undefined;
}

export function dropKillFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The next check repeats it.
  }
}

/** `enter` runs its argument in session time. */
export function watchKillFile(file: string, clock: Clock, latch: Latch, enter: (run: () => void) => void): Cancel {
  return clock.every(LOOK_MS, () => {
    if (existsSync(file)) enter(() => heedKillFile(file, latch));
  });
}
