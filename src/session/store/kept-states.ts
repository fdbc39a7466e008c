/**
 * Carries the values of `state` to the next live session of a strategy: the account stays, although each orderly end that
 * leaves nothing ends a session. A paper account begins anew, and its strategies with it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readJournal } from '../../journal/verify.ts';
import type { JournalEntry, JournalStore } from '../../model/entries/journal.ts';
import type { Logger } from '../../model/ports.ts';
import { replayRows } from '../../spine/replay.ts';
import { writeOwnerFile } from './owner-file.ts';
import { isOfSameAccount, listSessions, sessionFiles, type SessionFolder } from './store.ts';

type Values = ReadonlyMap<string, string>;

const schema = z.record(z.string(), z.string());

/** At the end of a session. Throws `disk_full`, `not_writable`. */
export function keepStates(path: string, values: Values): void {
  writeOwnerFile(join(path, sessionFiles.states), `${JSON.stringify(Object.fromEntries(values))}\n`, { replace: true });
}

/** Into the empty journal of a new session, of each strategy from the newest session that had it. `now`: Unix ms. */
export function takeOverStates(journal: JournalStore, folder: SessionFolder, now: number, logger: Logger): void {
  const { id, strategies } = folder.record;
  const earlier = listSessions(dirname(folder.path))
    .filter(({ record }) => record.id !== id && isOfSameAccount(record, folder.record))
    .toSorted((one, other) => other.record.startedAt - one.record.startedAt);
  const entries = strategies.flatMap(({ tag }): readonly JournalEntry[] => {
    const last = earlier.find(({ record }) => record.strategies.some((one) => one.tag === tag));
    const own = last === undefined ? [] : [...valuesOf(last)].filter(([key]) => key.startsWith(`${tag}/`));
    if (last === undefined || own.length === 0) return [];
    logger.info({ strategy: tag }, `its state continues from ${last.record.id}; --new begins without`);
    return own.map(([key, value]) => ({ kind: 'state', key, value }));
  });
  if (entries.length > 0) journal.append(now, entries);
}

/** Of one that did not end, by its journal: the file is of an earlier end. */
function valuesOf({ path, record }: SessionFolder): Values {
  const file = join(path, sessionFiles.states);
  if (record.endedAt !== null && existsSync(file))
    return new Map(Object.entries(schema.parse(JSON.parse(readFileSync(file, 'utf8')))));
  if (!existsSync(join(path, sessionFiles.journal))) return new Map();
  return replayRows(readJournal(path)).state.values;
}
