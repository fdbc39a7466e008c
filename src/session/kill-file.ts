/**
 * The kill file: how `panic` reaches a session that runs in another process. Whatever stands in the folder of the
 * session under that name latches its kill switch. The file is taken away once the latch stands in the journal; until
 * then it is what the next start heeds (INV-K3).
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Executor } from '../execution/executor-types.ts';
import { messageOf } from '../model/errors.ts';
import type { Cancel, Clock } from '../model/ports.ts';

const LOOK_MS = 250;

/** What a kill file needs of a session. */
export type Latch = Pick<Executor, 'kill' | 'journalFailure'>;

export function writeKillFile(file: string, reason: string): void {
  writeFileSync(file, `${reason}\n`, { mode: 0o600 });
}

/** The reason in it; null when there is no file. One that cannot be read is an order to stop like any other. */
export function readKillFile(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    return readFileSync(file, 'utf8').trim() || 'panic';
  } catch (thrown) {
    return `panic (${messageOf(thrown)})`;
  }
}

/** Latches when the file is there. Also to be asked before the first decision: it may have been left for this start. */
export function heedKillFile(file: string, latch: Latch): void {
  const reason = readKillFile(file);
  // A row that could not be written may be lost with this process: then the file must not be.
  if (reason !== null && heardKill(latch, reason)) dropKillFile(file);
}

/** Latches; true when that stands in the journal. */
export function heardKill(latch: Latch, reason: string): boolean {
  latch.kill(reason);
  return latch.journalFailure === undefined;
}

/** To be called when what it says stands in the journal. */
export function dropKillFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is heeded again at the next look; the latch is on already.
  }
}

/** `enter` hands what is to be done over to the session, inside its time. */
export function watchKillFile(file: string, clock: Clock, latch: Latch, enter: (run: () => void) => void): Cancel {
  return clock.every(LOOK_MS, () => {
    if (existsSync(file)) enter(() => heedKillFile(file, latch));
  });
}
