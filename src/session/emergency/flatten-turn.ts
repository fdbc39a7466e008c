/**
 * One `panic --flatten` of an account at a time, so that a second one reads in `panic.jsonl` all that the first sent.
 * Called by `panic-flatten.ts`.
 */
import { join } from 'node:path';
import { makeFolder } from '../../journal/files/files.ts';
import { acquireLock, type SessionLock } from '../../journal/files/lock.ts';
import { isTidewireError } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import { accountFolder, type AccountIdentity } from '../store/account-place.ts';
import { pause } from './panic.ts';

const WAIT_MS_MAX = 60_000;
const LOOK_MS = 100;
const UNLOCKED: SessionLock = { release: () => {} };

/** Null: another one still works after a minute. Not to be written to is no reason to keep a position open. */
export async function takeTurn(owner: AccountIdentity, clock: Clock): Promise<SessionLock | null> {
  const folder = join(accountFolder(owner), 'flatten');
  const end = clock.now() + WAIT_MS_MAX;
  do {
    try {
      makeFolder(folder, 0o700);
      return acquireLock(folder, 0);
    } catch (thrown) {
      if (!isTidewireError(thrown) || thrown.code !== 'journal_locked') return UNLOCKED;
    }
    await pause(clock, LOOK_MS);
  } while (clock.now() < end);
  return null;
}
