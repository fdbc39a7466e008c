/**
 * The check-up: what a machine and a configuration need before money depends on them. Each check answers in a sentence;
 * `warn` is worth knowing, `fail` stops a live run. Called by `tidewire doctor`; nothing is changed, apart from one
 * probe file that is written and deleted in the session folder.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, statfsSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { messageOf } from '../model/errors.ts';
import { sessionErrors } from '../session/errors.ts';

export type CheckState = 'ok' | 'warn' | 'fail';

export interface Check {
  readonly name: string;
  readonly state: CheckState;
  readonly text: string;
  /** What to do when it is not ok. */
  readonly remedy?: string;
}

/** A check that cannot be made fails with its reason instead of ending the check-up. */
export async function checked(name: string, remedy: string, run: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await run();
  } catch (thrown) {
    return { name, state: 'fail', text: messageOf(thrown), remedy };
  }
}

export function checkNode(version: string): Check {
  const major = Number(version.replace(/^v/, '').split('.')[0]);
  return major >= 24
    ? { name: 'node', state: 'ok', text: `Node ${version}` }
    : {
        name: 'node',
        state: 'fail',
        text: `Node ${version} is older than 24`,
        remedy: 'Start through npx tidewire, which brings its own.',
      };
}

const GIGABYTE = 1e9;

export function checkDisk(folder: string): Check {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  const text = `${(free / GIGABYTE).toFixed(1)} GB free for ${folder}`;
  return free >= GIGABYTE
    ? { name: 'disk', state: 'ok', text }
    : {
        name: 'disk',
        state: 'fail',
        text,
        remedy: 'Free at least 1 GB: the journal stops all sends when it cannot write.',
      };
}

/**
 * Median of a few small synchronous writes (reliability §4.1): slow media delay every order, a lying cache loses them.
 * Throws `disk_full` where nothing can be written.
 */
export function checkFsync(folder: string): Check {
  const file = join(folder, `.probe-${process.pid}`);
  let times: readonly number[];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    times = durableWritesMs(file);
  } catch (thrown) {
    throw sessionErrors.make('disk_full', `cannot write ${file}: ${messageOf(thrown)}`, { path: file });
  }
  const median = times.toSorted((left, right) => left - right)[Math.floor(times.length / 2)] ?? 0;
  const text = `a durable write takes ${median.toFixed(2)} ms`;
  if (median > 20)
    return {
      name: 'fsync',
      state: 'warn',
      text,
      remedy: 'Put journal.dir on a faster disk: every order waits for one such write.',
    };
  if (median < 0.02) {
    return {
      name: 'fsync',
      state: 'warn',
      text: `${text}: too fast to be true`,
      remedy: 'This disk seems to cache writes; a power cut could lose the newest orders.',
    };
  }
  return { name: 'fsync', state: 'ok', text };
}

function durableWritesMs(file: string): readonly number[] {
  const handle = openSync(file, 'w', 0o600);
  const times: number[] = [];
  try {
    const bytes = Buffer.alloc(4096, 1);
    for (let round = 0; round < 15; round++) {
      writeSync(handle, bytes);
      const before = performance.now();
      fsyncSync(handle);
      times.push(performance.now() - before);
    }
  } finally {
    closeSync(handle);
    unlinkSync(file);
  }
  return times;
}

const OFFSET_WARN_MS = 2000;
const OFFSET_FAIL_MS = 10_000;

/** The exchange refuses requests whose time is off by 30 s (interface, "Signature"). */
export function checkClockOffset(offsetMs: number): Check {
  const text = `this clock is ${Math.abs(offsetMs).toFixed(0)} ms ${offsetMs > 0 ? 'behind' : 'ahead of'} the exchange`;
  const remedy = 'Let the system keep its clock by NTP, for example with timedatectl set-ntp true.';
  const off = Math.abs(offsetMs);
  if (off > OFFSET_FAIL_MS) return { name: 'clock', state: 'fail', text, remedy };
  return off > OFFSET_WARN_MS ? { name: 'clock', state: 'warn', text, remedy } : { name: 'clock', state: 'ok', text };
}

export function worst(checks: readonly Check[]): CheckState {
  if (checks.some(({ state }) => state === 'fail')) return 'fail';
  return checks.some(({ state }) => state === 'warn') ? 'warn' : 'ok';
}
