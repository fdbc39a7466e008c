/** Ends a process with a stalled main thread: cancels all orders, exits with 1. */
import { appendFileSync, write } from 'node:fs';
import { join } from 'node:path';
import { errorDocument, messageOf, type TidewireError } from '../../model/errors.ts';
import { sessionErrors } from '../errors.ts';
import { writeKillFile } from '../emergency/kill-file.ts';
import { sessionFiles } from '../store/store.ts';
import { systemClock, wallMs } from '../clock/system-clock.ts';
import { culpritOf, type Culprit, type WatchedStrategy } from './culprit.ts';
import { MainThread } from './main-thread.ts';
import type { EndCause } from './patience.ts';
import type { Cancelling } from './rescue.ts';

export interface EndTask {
  readonly cause: EndCause;
  readonly stoodMs: number;
  readonly path: string;
  readonly strategies: readonly WatchedStrategy[];
  /** Null where nothing can be open. */
  readonly cancel: Cancelling | null;
  /** Stdout must carry a document. */
  readonly json: boolean;
}

/** Outside system calls the main thread stops within a millisecond of the processor's time. */
const STOP_MS: Readonly<Record<Exclude<EndCause, 'twice'>, number>> = { stalled: 2_000, late: 900, blocked: 2_000 };
/** Little where somebody waits for the end. */
const CANCEL_MS: Readonly<Record<EndCause, number>> = { stalled: 15_000, late: 2_500, blocked: 1_000, twice: 1_000 };
/** A blocked terminal takes no text. */
const SAY_MS = 200;
const EXIT_MS = 3_000;

export async function endAtOnce(task: EndTask): Promise<void> {
  const { cause, path, strategies } = task;
  const main = new MainThread();
  // A second signal does not wait for the stack.
  const stopping = cause === 'twice' ? [] : main.stop(STOP_MS[cause]);
  const cancelling = task.cancel?.(CANCEL_MS[cause]) ?? null;
  const error = errorOf(task, culpritOf(await stopping, strategies));
  const told = cause === 'stalled' ? tryKillFile(path, error.message) : null;
  tryLog(path, error.message);
  const cancelled = await cancelling;
  if (cancelled !== null) tryLog(path, cancelled);
  const lines = [error.message, told, cancelled].filter((line) => line !== null);
  await say(2, `\nerror ${error.code}: ${lines.join('\n  ')}\n  ${error.remedy}\n`);
  if (task.json) await say(1, `${JSON.stringify(errorDocument(error))}\n`);
  main.end();
  systemClock.after(EXIT_MS, () => process.kill(process.pid, 'SIGKILL'));
}

function errorOf({ cause, stoodMs }: EndTask, { strategy, place }: Culprit): TidewireError {
  const who = strategy === null ? 'the main thread' : `strategy ${strategy}`;
  const where = place === null ? 'its place is unknown' : `at ${place}`;
  const stood = `${who} did not come back for ${(stoodMs / 1000).toFixed(1)} s, ${where}`;
  const details = { strategy, place };
  if (cause === 'stalled') return sessionErrors.make('session_stalled', stood, details);
  const why = {
    blocked: `stopped while ${stood}`,
    late: `stopped, but not ended in time, ${where}`,
    twice: 'stopped a second time',
  } as const;
  return sessionErrors.make('session_cut_short', why[cause], details);
}

function tryKillFile(path: string, reason: string): string | null {
  try {
    writeKillFile(join(path, sessionFiles.kill), reason);
    return null;
  } catch (thrown) {
    return `the kill file could not be written: ${messageOf(thrown)}`;
  }
}

function tryLog(path: string, msg: string): void {
  try {
    appendFileSync(join(path, sessionFiles.log), `${JSON.stringify({ level: 50, time: wallMs(), msg })}\n`, {
      mode: 0o600,
    });
  } catch {
    // Reported on stderr.
  }
}

function say(file: 1 | 2, text: string): Promise<void> {
  return new Promise((resolve) => {
    systemClock.after(SAY_MS, resolve);
    write(file, text, () => resolve());
  });
}
