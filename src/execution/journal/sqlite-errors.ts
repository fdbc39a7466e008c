/** From what SQLite throws to the typed errors of this room. */
import type { TidewireError } from '../../model/errors.ts';
import { messageOf } from '../../model/errors.ts';
import { executionErrors } from '../errors.ts';

export function sqliteCode(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string')
    return thrown.code;
  return 'unknown';
}

export function journalError(thrown: unknown, path: string, doing: string): TidewireError {
  const code = sqliteCode(thrown);
  const details = { path, sqlite: code };
  const text = `${doing} ${path}: ${messageOf(thrown)}`;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return executionErrors.make('journal_full', text, details, thrown);
  if (code === 'SQLITE_CORRUPT' || code === 'SQLITE_NOTADB')
    return executionErrors.make('journal_corrupt', text, details, thrown);
  return executionErrors.make('journal_failed', text, details, thrown);
}
