/** Converts SQLite errors to the journal's typed errors. */
import type { TidewireError } from '../model/errors.ts';
import { isTidewireError, messageOf } from '../model/errors.ts';
import { journalErrors } from './errors.ts';

export function sqliteCode(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string')
    return thrown.code;
  return 'unknown';
}

/** Runs it and converts what it throws. */
export function guarded<Answer>(path: string, doing: string, run: () => Answer): Answer {
  try {
    return run();
  } catch (thrown) {
    throw isTidewireError(thrown) ? thrown : journalError(thrown, path, doing);
  }
}

export function journalError(thrown: unknown, path: string, doing: string): TidewireError {
  const code = sqliteCode(thrown);
  const details = { path, sqlite: code };
  const text = `${doing} ${path}: ${messageOf(thrown)}`;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return journalErrors.make('journal_full', text, details, thrown);
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB')
    return journalErrors.make('journal_corrupt', text, details, thrown);
  return journalErrors.make('journal_failed', text, details, thrown);
}
