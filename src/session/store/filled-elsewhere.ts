/** What a strategy filled in other sessions of the account, for a cursor that `state` brought from one of them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BookedFill, fillsIn } from '../../execution/intake/own-fills.ts';
import { readingJournal } from '../../journal/resume.ts';
import { isOfSameAccount, listSessions, sessionFiles, type SessionFolder } from './store.ts';

/** Throws errors of a journal that cannot be read. */
export function filledElsewhere({ path, record }: SessionFolder, tag: string): readonly BookedFill[] {
  return listSessions(dirname(path))
    .filter((other) => other.record.id !== record.id && isOfSameAccount(other.record, record))
    .filter((other) => other.record.strategies.some((one) => one.tag === tag))
    .filter((other) => existsSync(join(other.path, sessionFiles.journal)))
    .flatMap((other) => readingJournal(other.path, (journal) => fillsIn(journal, tag)));
}
