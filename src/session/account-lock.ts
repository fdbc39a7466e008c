/** One live process per account and key: an account may have several addresses. */
import { makeFolder } from '../journal/make-folder.ts';
import { acquireLock, type SessionLock } from '../journal/lock.ts';
import { isTidewireError } from '../model/errors.ts';
import { accountFolder, keyFolder, type AccountIdentity } from './account-place.ts';
import { cannotWrite } from './cannot-write.ts';
import { sessionErrors } from './errors.ts';

/** Throws `session_running`, `disk_full`, `not_writable`, and errors of `acquireLock`. */
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
