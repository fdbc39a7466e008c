/**
 * One account, one live process (reliability §0.11). The lock of a session comes too late for that: it is taken when the
 * exchange has answered, and two processes that start at once would each make a session of their own. This one is taken
 * before the first request and held until the process ends; the system frees it when it dies. The key is locked besides:
 * the same account by another address of the exchange is the same account. Called by `open-folder.ts`.
 */
import { makeFolder } from '../execution/journal/make-folder.ts';
import { acquireLock, type SessionLock } from '../execution/journal/lock.ts';
import { isTidewireError } from '../model/errors.ts';
import { accountFolder, keyFolder, type AccountIdentity } from './account-place.ts';
import { cannotWrite } from './cannot-write.ts';
import { sessionErrors } from './errors.ts';

/** Throws `session_running`, `disk_full` where nothing can be written, or the errors of `acquireLock`. */
export function holdAccount(identity: AccountIdentity): SessionLock {
  const { exchange, publicKey } = identity;
  const byAddress = hold(accountFolder(identity), identity);
  if (publicKey === undefined) return byAddress;
  try {
    const byKey = hold(keyFolder(publicKey, exchange), identity);
    const release = (): void => {
      byKey.release();
      byAddress.release();
    };
    return { release };
  } catch (thrown) {
    byAddress.release();
    throw thrown;
  }
}

function hold(folder: string, { account, exchange }: AccountIdentity): SessionLock {
  try {
    makeFolder(folder, 0o700);
  } catch (thrown) {
    throw cannotWrite(folder, thrown);
  }
  try {
    return acquireLock(folder);
  } catch (thrown) {
    if (!isTidewireError(thrown) || thrown.code !== 'journal_locked') throw thrown;
    throw sessionErrors.make('session_running', `another process is starting or trading on ${account} at ${exchange}`, {
      account,
      exchange,
    });
  }
}
