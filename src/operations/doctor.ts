/**
 * Checks for `tidewire doctor`: `fail` stops a live run, `warn` does not. Changes nothing but a temporary probe file.
 */
import { journalErrors } from '../journal/errors.ts';
import { journalDoubt } from '../journal/verify.ts';
import { isTidewireError, messageOf } from '../model/errors.ts';
import { freeSpace, probeWrites, spaceDoubt } from '../session/store/disk.ts';
import { checkKey, type KeyWish } from '../session/connection/key-check.ts';

export type CheckState = 'ok' | 'warn' | 'fail';

export interface Check {
  readonly name: string;
  readonly state: CheckState;
  readonly text: string;
  readonly hint?: string;
}

export async function checked(name: string, hint: string, run: () => Check | Promise<Check>): Promise<Check> {
  try {
    return await run();
  } catch (thrown) {
    return { name, state: 'fail', text: messageOf(thrown), hint };
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
        hint: 'Start through npx tidewire, which brings its own.',
      };
}

/** `journalBytes`: of the largest journal there. */
export function checkDisk(folder: string, journalBytes: number): Check {
  const space = freeSpace(folder, journalBytes);
  const doubt = spaceDoubt(folder, space);
  if (doubt === null)
    return { name: 'disk', state: 'ok', text: `${(space.freeBytes / 1e9).toFixed(1)} GB free for ${folder}` };
  return {
    name: 'disk',
    state: 'fail',
    text: doubt,
    hint: 'Free 1 GB, or ten times the largest journal: the journal stops all sends when it cannot write.',
  };
}

/** Null for a sound journal; an unreadable one fails. */
export function checkJournal(path: string): Check | null {
  const name = 'journal';
  try {
    const doubt = journalDoubt(path);
    if (doubt === null) return null;
    const { remedy: hint } = journalErrors.rows.journal_rewound;
    if (doubt.kind === 'rewound') return { name, state: 'fail', text: `journal_rewound: ${doubt.message}`, hint };
    return {
      name,
      state: 'warn',
      text: doubt.message,
      hint: 'Look with `tidewire plan` whether all orders at the exchange are known; the next start writes a new witness.',
    };
  } catch (thrown) {
    if (isTidewireError(thrown) && thrown.code === 'journal_not_found') return null;
    const hint = isTidewireError(thrown) ? thrown.remedy : 'Run `tidewire journal verify` on it.';
    return { name, state: 'fail', text: messageOf(thrown), hint };
  }
}

/** Throws `disk_full` where nothing can be written. */
export function checkFsync(folder: string): Check {
  const { medianMs, doubt, remedy: hint } = probeWrites(folder);
  return doubt === null
    ? { name: 'fsync', state: 'ok', text: `a durable write takes ${medianMs.toFixed(2)} ms` }
    : { name: 'fsync', state: 'warn', text: doubt, hint };
}

/** The key's permissions and, with a login, its whitelist and end. */
export async function checkKeyRights(wish: KeyWish): Promise<Check> {
  const name = 'key rights';
  try {
    const warnings = await checkKey(wish);
    const isWhole = wish.exchange.login.token() !== null;
    const text = isWhole
      ? 'the key may trade, and nothing else'
      : 'the key may read what trading needs, and may not withdraw; its expiry and whitelist are visible only to a login (set TIDEWIRE_LOGIN, or `tidewire keys status --login`)';
    if (warnings.length === 0) return { name, state: 'ok', text };
    const hint =
      'Create a key with full trading permission alone and the address of this machine as its whitelist (`tidewire keys create`), store it, and delete this one.';
    return { name, state: 'warn', text: warnings.join('; '), hint };
  } catch (thrown) {
    const hint = isTidewireError(thrown) ? thrown.remedy : 'Check the network, then try again.';
    return { name, state: 'fail', text: messageOf(thrown), hint };
  }
}

const OFFSET_WARN_MS = 2000;
const OFFSET_FAIL_MS = 10_000;

/** The exchange refuses requests whose time is off by 30 s (interface, "Signature"). */
export function checkClockOffset(offsetMs: number): Check {
  const text = `this clock is ${Math.abs(offsetMs).toFixed(0)} ms ${offsetMs > 0 ? 'behind' : 'ahead of'} the exchange`;
  const hint = 'Let the system keep its clock by NTP, for example with timedatectl set-ntp true.';
  const off = Math.abs(offsetMs);
  if (off > OFFSET_FAIL_MS) return { name: 'clock', state: 'fail', text, hint };
  return off > OFFSET_WARN_MS ? { name: 'clock', state: 'warn', text, hint } : { name: 'clock', state: 'ok', text };
}

export function worst(checks: readonly Check[]): CheckState {
  if (checks.some(({ state }) => state === 'fail')) return 'fail';
  return checks.some(({ state }) => state === 'warn') ? 'warn' : 'ok';
}
