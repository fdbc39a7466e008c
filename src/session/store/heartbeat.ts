/** The heartbeat: a file replaced every second by the trading event loop. The watchdog compares no clocks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';

const BEAT_MS = 1_000;

/** After a write failure the watchdog acts. */
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

export function readBeat(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
