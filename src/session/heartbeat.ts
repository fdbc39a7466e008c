/**
 * The sign of life of a live session: a small file in its folder, replaced every second by the same event loop that
 * trades. A process that hangs leaves it as it is. The watchdog looks whether it changes, so that no clock is compared.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../model/errors.ts';
import type { Cancel, Clock, Logger } from '../model/ports.ts';

const BEAT_MS = 1_000;

/** A disk that refuses is said once; the watchdog then takes the session for dead, and rightly so. */
export function beat(file: string, clock: Clock, logger: Logger): Cancel {
  let failed = false;
  const write = (): void => {
    try {
      writeFileSync(file, `${process.pid} ${clock.nowUs()}\n`, { mode: 0o600 });
      failed = false;
    } catch (thrown) {
      if (!failed) logger.error({ reason: messageOf(thrown) }, 'the heartbeat cannot be written');
      failed = true;
    }
  };
  write();
  return clock.every(BEAT_MS, write);
}

/** Null when there is none, or it cannot be read. */
export function readBeat(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
