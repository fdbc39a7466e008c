/** One live process per account and key: an account may have several addresses. */
import { basename } from 'node:path';
import { makeFolder } from '../../journal/files/files.ts';
import { acquireLock, isLocked, type SessionLock } from '../../journal/files/lock.ts';
import { isTidewireError } from '../../model/errors.ts';
import { accountFolder, keyFolder, type AccountIdentity } from './account-place.ts';
import { cannotWrite } from './cannot-write.ts';
import { sessionErrors } from '../errors.ts';
import { keyHash } from '../connection/key-hash.ts';
import { liveAccounts, type LiveRecord } from '../emergency/live-record.ts';

/** Throws `session_running`, `disk_full`, `not_writable`, and errors of `acquireLock`. */
export function holdAccount(identity: AccountIdentity): SessionLock {
  const { exchange, publicKey } = identity;
  const byAddress = hold(accountFolder(identity), identity, `on ${identity.account}`);
  if (publicKey === undefined) return byAddress;
  try {
    const byKey = hold(keyFolder(publicKey, exchange), identity, 'with this key');
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

/**
 * Uses what running sessions show, without a request. Throws `live_wrong_account` where one trades with this key on
 * another account, `session_running` where one trades on the account with another key.
 */
export function refuseOtherKey({ account, exchange, publicKey }: AccountIdentity): void {
  if (publicKey === undefined) return;
  const hash = keyHash(publicKey);
  const place = keyFolder(publicKey, exchange);
  const sameKey = running(
    (record) =>
      record.keyHash === hash && record.account !== account && keyFolder(publicKey, record.exchange.baseUrl) === place,
  );
  if (sameKey !== undefined) {
    const { account: login, pid } = sameKey;
    const text = `the key belongs to ${login}, on which process ${pid} trades with it; --confirm names ${account}`;
    throw sessionErrors.make('live_wrong_account', text, { login });
  }
  const sameAccount = running(
    (record) => record.keyHash !== hash && record.account === account && record.exchange.baseUrl === exchange,
  );
  if (sameAccount !== undefined) {
    const { pid, path } = sameAccount;
    const text = `${basename(path ?? '')} runs in process ${pid}, on account ${account}, with another key than this one; --confirm must name the account of this key`;
    throw sessionErrors.make('session_running', text, { session: basename(path ?? '') });
  }
}

/** A record has a folder once the exchange has confirmed its account. */
function running(concerns: (record: LiveRecord) => boolean): LiveRecord | undefined {
  const found = liveAccounts(() => {}).find(
    ({ folder, record }) => record !== null && record.path !== null && concerns(record) && isLocked(folder) === true,
  );
  return found?.record ?? undefined;
}

function hold(folder: string, { account, exchange }: AccountIdentity, trading: string): SessionLock {
  try {
    makeFolder(folder, 0o700);
  } catch (thrown) {
    throw cannotWrite(folder, thrown);
  }
  try {
    return acquireLock(folder);
  } catch (thrown) {
    if (!isTidewireError(thrown) || thrown.code !== 'journal_locked') throw thrown;
    throw sessionErrors.make('session_running', `another process is starting or trading ${trading} at ${exchange}`, {
      account,
      exchange,
    });
  }
}
