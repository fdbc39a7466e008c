/** Replays a journal from its newest snapshot. */
import { isTidewireError, messageOf } from '../model/errors.ts';
import { Replay } from '../spine/replay.ts';
import { replayOf, SNAPSHOT_VERSION, textOf, type Resumable } from '../spine/snapshot/snapshot.ts';
import { journalErrors } from './errors.ts';
import { readRows } from './rows.ts';
import { newestSnapshot } from './snapshots.ts';
import { reading } from './verify.ts';

/** The journal may be in use. Throws `journal_not_found`, `journal_corrupt`, `journal_failed`. */
export function replayJournal(place: string): Replay {
  return readingJournal(place, resumed);
}

/** As `replayJournal`. */
export function readingJournal<Answer>(place: string, run: (journal: Resumable) => Answer): Answer {
  return reading(place, (db, path) =>
    run({
      read: (fromSeq = 1) => readRows(db, path, fromSeq),
      lastSnapshot: () => newestSnapshot(db, path),
    }),
  );
}

/**
 * For an open store: from its newest snapshot of this version, or from row 1. `begun`: continues from it. Throws
 * `journal_corrupt` for a changed snapshot.
 */
export function resumed(journal: Resumable, begun?: Replay): Replay {
  try {
    const entry = begun === undefined ? journal.lastSnapshot?.() : undefined;
    const replay = entry?.version === SNAPSHOT_VERSION ? replayOf(textOf(entry)) : (begun ?? new Replay());
    for (const row of journal.read(replay.rows + 1)) replay.row(row);
    return replay;
  } catch (thrown) {
    if (isTidewireError(thrown)) throw thrown;
    throw journalErrors.make('journal_corrupt', `the journal cannot be read: ${messageOf(thrown)}`, {}, thrown);
  }
}
