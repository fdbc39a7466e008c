/** The address book on disk. A missing file is an empty book. */
import type { Credentials } from '../../exchange/client/credentials.ts';
import { readOwnerFile, writeOwnerFile } from '../store/owner-file.ts';
import { openBook, sealBook, unprovedEntries, type BookEntry } from './book.ts';

/** Throws errors of `openBook` and `readOwnerFile`. */
export function readBook(path: string, credentials: Credentials): readonly BookEntry[] {
  const text = readOwnerFile(path);
  return text === null ? [] : openBook(text, credentials, path);
}

/** For `wallet book reseal` alone. */
export function readUnprovedBook(path: string): readonly BookEntry[] {
  const text = readOwnerFile(path);
  return text === null ? [] : unprovedEntries(text, path);
}

export function writeBook(path: string, entries: readonly BookEntry[], credentials: Credentials): void {
  writeOwnerFile(path, sealBook(entries, credentials), { replace: true });
}
