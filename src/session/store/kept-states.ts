/**
 * Carries the values of `state` to the next live session of a strategy: the account stays, although each orderly end that
 * leaves nothing ends a session. A paper account begins anew, and its strategies with it.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replayJournal } from '../../journal/resume.ts';
import type { JournalEntry, JournalStore } from '../../model/entries/journal.ts';
import type { Logger } from '../../model/ports.ts';
import { isOfSameAccount, listSessions, sessionFiles, type SessionFolder } from './store.ts';

/**
 * Into the empty journal of a new session, of each strategy from the newest session that had it. `now`: Unix ms. Throws errors of
 * an earlier journal that cannot be read.
 */
export function takeOverStates(journal: JournalStore, folder: SessionFolder, now: number, logger: Logger): void {
  const { id, strategies } = folder.record;
  const earlier = listSessions(dirname(folder.path))
    .filter(({ record }) => record.id !== id && isOfSameAccount(record, folder.record))
    .filter(({ path }) => existsSync(join(path, sessionFiles.journal)))
    .toSorted((one, other) => other.record.startedAt - one.record.startedAt);
  const entries = strategies.flatMap(({ tag }): readonly JournalEntry[] => {
    const last = earlier.find(({ record }) => record.strategies.some((one) => one.tag === tag));
    if (last === undefined) return [];
    const own = [...replayJournal(last.path).state.values].filter(([key]) => key.startsWith(`${tag}/`));
    if (own.length > 0)
      logger.info({ strategy: tag }, `its state continues from ${last.record.id}; --new begins without`);
    return own.map(([key, value]) => ({ kind: 'state', key, value }));
  });
  if (entries.length > 0) journal.append(now, entries);
}
