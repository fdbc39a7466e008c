/**
 * Backup of a journal that may be in use, and restore into a new session directory. A restored journal does not know
 * what happened after the backup, so it starts with the kill switch on: a human looks first (reliability §4.3, 11).
 */
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { executionErrors } from '../errors.ts';
import { JOURNAL_FILE, openJournal } from './sqlite-store.ts';
import { journalError } from './sqlite-errors.ts';
import { journalPath, openReadonly, verifyJournal, type VerifyReport } from './verify.ts';

/** Copies online, then verifies the copy; a copy that does not verify is removed. Throws `journal_exists`, `journal_corrupt`. */
export async function backupJournal(place: string, target: string): Promise<VerifyReport> {
  const path = journalPath(place);
  if (existsSync(target)) throw executionErrors.make('journal_exists', `${target} exists already`, { path: target });
  const db = openReadonly(path);
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await db.backup(target);
  } catch (thrown) {
    rmSync(target, { force: true });
    throw journalError(thrown, target, 'cannot write the backup');
  } finally {
    db.close();
  }
  return verified(target, () => rmSync(target, { force: true }));
}

/** Throws `journal_exists`, `journal_corrupt`. */
export function restoreJournal(backup: string, dir: string, ts: number): VerifyReport {
  const source = journalPath(backup);
  const target = join(dir, JOURNAL_FILE);
  if (existsSync(target)) throw executionErrors.make('journal_exists', `${target} exists already`, { path: target });
  verified(source, () => {});
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    // Logs of an older journal at this place would be replayed into the restored one.
    for (const suffix of ['-wal', '-shm']) rmSync(`${target}${suffix}`, { force: true });
    copyFileSync(source, target);
  } catch (thrown) {
    throw journalError(thrown, target, 'cannot restore to');
  }
  const journal = openJournal(dir);
  journal.append(ts, [
    { kind: 'kill', on: true, reason: 'restored from a backup: what came after it is unknown here' },
  ]);
  journal.close();
  return verified(target, () => {});
}

function verified(path: string, discard: () => void): VerifyReport {
  const report = verifyJournal(path);
  if (report.ok) return report;
  discard();
  throw executionErrors.make('journal_corrupt', `${path} does not verify: ${report.problem ?? ''}`, {
    path,
    brokenAt: report.brokenAt,
  });
}
