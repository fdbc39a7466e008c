/** Carries the loss of the UTC day to the account's next session, also from one that crashed. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { utcDay } from '../../model/time.ts';
import { lostBeforeRow } from '../../risk/losses/account-equity.ts';
import type { JournalStore } from '../../model/entries/journal.ts';
import { readLosses } from './losses-file.ts';
import { listSessions, sessionFiles, type SessionFolder, type SessionRecord } from './store.ts';

interface LastLoss {
  /** Unix ms. */
  readonly at: number;
  readonly loss: NonNullable<SessionRecord['dayLoss']>;
}

/** Into the empty journal of a new session. `now`: Unix ms. A session's loss contains the loss that it adopted itself, so the newest known one counts. */
export function takeOverDayLoss(journal: JournalStore, folder: SessionFolder, reporting: string, now: number): void {
  const { id, mode, account, exchange } = folder.record;
  const day = utcDay(now);
  const [last] = listSessions(dirname(folder.path))
    .filter(({ record }) => record.id !== id && record.mode === mode)
    .filter(({ record }) => record.account === account && record.exchange === exchange)
    .flatMap((session) => lastLossOf(session, reporting))
    .filter(({ loss }) => loss.day === day && loss.currency === reporting)
    .toSorted((one, other) => other.at - one.at);
  if (last !== undefined && last.loss.amount !== 0) journal.append(now, [lostBeforeRow(day, last.loss.amount)]);
}

/** Of one that did not end in order, what it wrote while it ran. Older builds wrote no currency. */
function lastLossOf({ path, record }: SessionFolder, reporting: string): readonly LastLoss[] {
  if (record.endedAt !== null) return record.dayLoss === null ? [] : [{ at: record.endedAt, loss: record.dayLoss }];
  const file = join(path, sessionFiles.losses);
  const losses = readLosses(file);
  if (losses === null || losses.account === null) return [];
  return [{ at: statSync(file).mtimeMs, loss: { currency: losses.currency ?? reporting, ...losses.account } }];
}
