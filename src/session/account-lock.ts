/**
 * One account, one live process (reliability §0.11). The lock of a session comes too late for that: it is taken when the
 * exchange has answered, and two processes that start at once would each make a session of their own. This one is taken
 * before the first request and held until the process ends; the system frees it when it dies. The key is locked besides:
 * the same account by another address of the exchange is the same account. Called by `open-folder.ts`.
 */
import { join } from 'node:path';
import { makeFolder } from '../execution/journal/make-folder.ts';
import { acquireLock, type SessionLock } from '../execution/journal/lock.ts';
import { isTidewireError } from '../model/errors.ts';
import { sessionErrors } from './errors.ts';
import { keyHash } from './money-place.ts';
import { cannotWrite } from './cannot-write.ts';

/** Among the sessions, since processes that share an account find each other only where they share `journal.dir`. */
const FOLDER = '.accounts';

export interface AccountIdentity {
  readonly account: string;
  readonly exchange: string;
  /** Undefined where it is not known. */
  readonly publicKey?: string | undefined;
}

/** Throws `session_running`, `disk_full` where nothing can be written, or the errors of `acquireLock`. */
export function holdAccount(root: string, identity: AccountIdentity): SessionLock {
  const { account, exchange, publicKey } = identity;
  const name = `${exchange.replace(/^\w+:\/+/, '')}-${account}`.replaceAll(/[^A-Za-z0-9._@-]+/g, '_');
  const byAddress = hold(root, name, identity);
  if (publicKey === undefined) return byAddress;
  try {
    const byKey = hold(root, `key-${keyHash(publicKey)}`, identity);
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

function hold(root: string, name: string, { account, exchange }: AccountIdentity): SessionLock {
  const folder = join(root, FOLDER, name);
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
