/**
 * The kill file: how `panic` reaches a session that runs in another process. Whatever stands in the folder of the
 * session under that name latches its kill switch; the file is taken away once it has been heeded.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf } from '../model/errors.ts';
import type { Cancel, Clock } from '../model/ports.ts';

const LOOK_MS = 250;

export function writeKillFile(file: string, reason: string): void {
  writeFileSync(file, `${reason}\n`, { mode: 0o600 });
}

/** Latches when the file is there. Also to be asked before the first decision: it may have been left for this start. */
export function heedKillFile(file: string, kill: (reason: string) => void): void {
  if (!existsSync(file)) return;
  let reason = 'panic';
  try {
    reason = readFileSync(file, 'utf8').trim() || reason;
  } catch (thrown) {
    reason = `panic (${messageOf(thrown)})`;
  }
  // Latched and journalled before the file goes: a death in between must not lose the order to stop.
  kill(reason);
  try {
    rmSync(file, { force: true });
  } catch {
    // It is heeded again at the next look; the latch is on already.
  }
}

export function watchKillFile(file: string, clock: Clock, kill: (reason: string) => void): Cancel {
  return clock.every(LOOK_MS, () => heedKillFile(file, kill));
}
