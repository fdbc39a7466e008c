/**
 * The loss of the UTC day over the end of a session (risk `dailyLossFraction`): what a session has lost today when it ends in
 * order stands in its `session.json`, and the next session of the account begins its day by that much higher. Without, a bot
 * that is started again and again would have a new limit each time. What the account's holdings gain or lose while no
 * session runs, and money that is moved meanwhile, belongs to no session.
 */
import { dirname } from 'node:path';
import { lostBeforeRow } from '../execution/risk/account-equity.ts';
import { utcDay } from '../execution/risk/daily-loss.ts';
import type { JournalStore } from '../model/journal.ts';
import { listSessions, type SessionFolder } from './store.ts';

/** Into the journal of a session that has none yet. `reporting`: the currency of `account.reporting`. `now`: Unix ms. */
export function takeOverDayLoss(journal: JournalStore, folder: SessionFolder, reporting: string, now: number): void {
  if (journal.lastSeq > 0) return;
  const { id, mode, account, exchange } = folder.record;
  const [last] = listSessions(dirname(folder.path))
    .map(({ record }) => record)
    .filter((other) => other.id !== id && other.mode === mode && other.endedAt !== null)
    .filter((other) => other.account === account && other.exchange === exchange)
    .toSorted((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0));
  const loss = last?.dayLoss ?? null;
  if (loss === null || loss.day !== utcDay(now) || loss.currency !== reporting || loss.amount === 0) return;
  journal.append(now, [lostBeforeRow(loss.day, loss.amount)]);
}
