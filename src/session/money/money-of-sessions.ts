/** Money of unknown outcome in journals of dead sessions. */
import { basename } from 'node:path';
import { openJournal } from '../../journal/sqlite-store.ts';
import { requireUnbroken } from '../../journal/verify.ts';
import { replayJournal } from '../../journal/resume.ts';
import { isTidewireError, type TidewireError } from '../../model/errors.ts';
import type { MoneyRecord } from '../../spine/money/state.ts';
import { sessionErrors } from '../errors.ts';
import { isRunning } from '../store/is-running.ts';
import { moneyAccess, type MoneyParts } from './money.ts';
import { listSessions, type SessionFolder } from '../store/store.ts';

export interface SessionMoney {
  readonly folder: SessionFolder;
  readonly record: MoneyRecord;
}

export interface SessionOwner {
  readonly account: string;
  /** Address, as in `session.json`. */
  readonly exchange: string;
}

/** It may hold some of any account. */
export interface UnreadableSession {
  /** Its folder's name, where `session.json` is unreadable. */
  readonly id: string;
  readonly path: string;
  readonly error: TidewireError;
}

export interface MoneyInDoubt {
  /** Newest session first. */
  readonly money: readonly SessionMoney[];
  readonly unreadable: readonly UnreadableSession[];
}

export function moneyInDoubt(root: string, { account, exchange }: SessionOwner): MoneyInDoubt {
  const unreadable: UnreadableSession[] = [];
  const cannotRead = (id: string, path: string, thrown: unknown): void => {
    if (!isTidewireError(thrown)) throw thrown;
    unreadable.push({ id, path, error: thrown });
  };
  const left = listSessions(root, (path, thrown) => cannotRead(basename(path), path, thrown)).filter(
    ({ record }) =>
      record.mode === 'live' && !record.clean && record.account === account && record.exchange === exchange,
  );
  const money = left.flatMap((folder) => {
    try {
      return unprovedIn(folder);
    } catch (thrown) {
      cannotRead(folder.record.id, folder.path, thrown);
      return [];
    }
  });
  return { money, unreadable };
}

function unprovedIn(folder: SessionFolder): readonly SessionMoney[] {
  return (
    replayJournal(folder.path)
      .state.money.unresolved()
      // What was never sent did not happen.
      .filter(({ fate }) => fate !== 'pending')
      .map((record) => ({ folder, record }))
  );
}

/** False when settled by now. Throws `session_running` and journal errors. */
export function decideInSession(
  parts: MoneyParts,
  { folder, record }: SessionMoney,
  verdict: 'happened' | 'absent',
  reason: string,
): boolean {
  if (isRunning(folder)) {
    const { id, pid } = folder.record;
    throw sessionErrors.make('session_running', `${id} runs in process ${pid}; stop it before you decide for it`);
  }
  requireUnbroken(folder.path);
  const { durability } = parts.config.journal;
  const access = moneyAccess(folder.path, openJournal(folder.path, { durability }), parts);
  try {
    return access.decide(record.intentId, verdict, reason);
  } finally {
    access.close();
  }
}
