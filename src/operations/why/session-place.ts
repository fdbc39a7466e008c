/** Journals for a question about the past: the named session, else all, newest first. A running session may be read. */
import { join } from 'node:path';
import { isLocked } from '../../journal/files/lock.ts';
import { journalPath, readJournal } from '../../journal/verify.ts';
import type { JournalRow } from '../../model/entries/journal.ts';
import {
  findSession,
  listSessions,
  sessionFiles,
  type SessionFolder,
  type SessionRecord,
} from '../../session/store/store.ts';
import { existsSync } from 'node:fs';

export interface SessionPlace {
  readonly id: string;
  readonly record: SessionRecord;
  readonly path: string;
  readonly recording: string;
  readonly log: string;
  readonly actions: string;
  /** Reads from the beginning at each call. Throws `journal_corrupt`. */
  readonly rows: () => Iterable<JournalRow>;
  readonly runs: () => boolean;
}

function placeOf({ path, record }: SessionFolder): SessionPlace {
  return {
    id: record.id,
    record,
    path,
    recording: join(path, sessionFiles.recording),
    log: join(path, sessionFiles.log),
    actions: join(path, sessionFiles.actions),
    rows: () => readJournal(path),
    runs: () => !record.clean && isLocked(path, 0) === true,
  };
}

/** Throws `session_not_found`, `journal_not_found`. */
export function placesOf(root: string, wanted: string | undefined): readonly SessionPlace[] {
  if (wanted === undefined) {
    return listSessions(root)
      .filter(({ path }) => existsSync(join(path, sessionFiles.journal)))
      .map(placeOf);
  }
  const folder = findSession(root, wanted);
  journalPath(folder.path);
  return [placeOf(folder)];
}
