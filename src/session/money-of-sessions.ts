/** Money of unknown outcome in journals of dead sessions. */
import { openJournal } from '../journal/sqlite-store.ts';
import { replayJournal } from '../journal/resume.ts';
import type { MoneyRecord } from '../spine/money/state.ts';
import { sessionErrors } from './errors.ts';
import { isRunning } from './is-running.ts';
import { moneyAccess, type MoneyParts } from './money.ts';
import { listSessions, type SessionFolder } from './store.ts';

export interface SessionMoney {
  readonly folder: SessionFolder;
  readonly record: MoneyRecord;
}

export interface SessionOwner {
  readonly account: string;
  /** Address, as in `session.json`. */
  readonly exchange: string;
}

/** Newest session first. Throws on an unreadable journal. */
export function moneyInDoubt(root: string, { account, exchange }: SessionOwner): readonly SessionMoney[] {
  const left = listSessions(root).filter(
    ({ record }) =>
      record.mode === 'live' && !record.clean && record.account === account && record.exchange === exchange,
  );
  return left.flatMap((folder) =>
    replayJournal(folder.path)
      .state.money.unresolved()
      // What was never sent did not happen.
      .filter(({ fate }) => fate !== 'pending')
      .map((record) => ({ folder, record })),
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
  const { durability } = parts.config.journal;
  const access = moneyAccess(folder.path, openJournal(folder.path, { durability }), parts);
  try {
    return access.decide(record.intentId, verdict, reason);
  } finally {
    access.close();
  }
}
