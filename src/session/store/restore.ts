/**
 * Backup and restore of a session in one file. A restored session has a new id and epoch: no client order id repeats.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { aboutBackup, backupJournal, restoreJournal } from '../../journal/backup.ts';
import { journalPath, type VerifyReport } from '../../journal/verify.ts';
import { listSessions, notEnded, parseSession, writeSession, type SessionRecord } from './store.ts';

/** `step` may abort by throwing. Throws `journal_exists`, `journal_corrupt`, `journal_not_found`. */
export async function backupSession(place: string, target: string, step: () => void): Promise<VerifyReport> {
  const file = join(journalPath(place), '..', 'session.json');
  return backupJournal(place, target, { about: existsSync(file) ? readFileSync(file, 'utf8') : '', step });
}

export interface Restored {
  readonly report: VerifyReport;
  /** Null: a journal alone, which `run` cannot resume. */
  readonly record: SessionRecord | null;
  /** Folders of the session that it is from, beside the new one. */
  readonly beside: readonly string[];
}

/** `now`: Unix ms. Throws `journal_exists`, `journal_corrupt`, `journal_not_found`, `session_unreadable`. */
export async function restoreSession(backup: string, dir: string, now: number): Promise<Restored> {
  const about = aboutBackup(backup) ?? '';
  const kept = about === '' ? null : parseSession(about, backup);
  const report = await restoreJournal(backup, dir);
  if (kept === null) return { report, record: null, beside: [] };
  const record: SessionRecord = { ...kept, ...notEnded, pid: 0, id: basename(dir), startedAt: now };
  writeSession(dir, record);
  const others = listSessions(dirname(dir), () => {}).filter(({ path }) => basename(path) !== basename(dir));
  const beside = others.filter(({ record: { id } }) => id === kept.id).map(({ path }) => path);
  return { report, record, beside };
}
