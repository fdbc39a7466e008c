/** Carries the loss of the UTC day to the account's next session. */
import { dirname } from 'node:path';
import { lostBeforeRow } from '../risk/losses/account-equity.ts';
import { utcDay } from '../risk/losses/daily-loss.ts';
import type { JournalStore } from '../model/journal.ts';
import { listSessions, type SessionFolder } from './store.ts';

/** `now`: Unix ms. */
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
