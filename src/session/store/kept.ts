/**
 * Carries what a strategy keeps to its next live session, as each orderly end that leaves nothing ends a session, while the
 * account stays: the values of `state`, the refs and sums of its transfers, and what its protections count. A paper account
 * begins anew, and its strategies with it.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { replayJournal } from '../../journal/resume.ts';
import type { JournalEntry, JournalStore } from '../../model/entries/journal.ts';
import type { UsedBeforeEntry } from '../../model/entries/used-before.ts';
import { partOf } from '../../model/part-of.ts';
import type { Logger } from '../../model/ports.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { isOfSameAccount, listSessions, sessionFiles, type SessionFolder } from './store.ts';

export interface KeptOptions {
  /** Strategies that begin in this session. */
  readonly tags: readonly string[];
  readonly logger: Logger;
  /** `--new`: without `state`, and without what cannot be read. */
  readonly fresh: boolean;
}

/**
 * Into the journal of their session, of each strategy from the session that had it last. `now`: Unix ms. Throws errors of an
 * earlier journal that cannot be read.
 */
export function takeOverKept(
  journal: JournalStore,
  folder: SessionFolder,
  now: number,
  { tags, logger, fresh }: KeptOptions,
): void {
  const { id } = folder.record;
  if (tags.length === 0) return;
  const earlier = listSessions(dirname(folder.path))
    .filter(({ record }) => record.id !== id && isOfSameAccount(record, folder.record))
    .toSorted((one, other) => lastOf(other) - lastOf(one));
  const entries: JournalEntry[] = [];
  for (const tag of tags) {
    const last = newestOf(earlier, tag, (session) => stateOf(session, fresh, logger));
    if (last === undefined) continue;
    const { state, session } = last;
    const used = usedBefore(tag, state, now);
    if (isAny(used)) entries.push(used);
    const values = fresh ? [] : partOf(state.values, `${tag}/`);
    for (const [key, value] of values) entries.push({ kind: 'state', key: `${tag}/${key}`, value });
    if (values.length > 0) logger.info({ strategy: tag }, `its state continues from ${session}; --new begins without`);
  }
  if (entries.length > 0) journal.append(now, entries);
}

/** Unix ms. One that was resumed may have begun before another that ended before it. */
function lastOf({ path, record: { endedAt, startedAt } }: SessionFolder): number {
  if (endedAt !== null) return endedAt;
  const files = ['', '-wal'].map((suffix) => join(path, `${sessionFiles.journal}${suffix}`));
  return Math.max(startedAt, ...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

/** Of the first of these that had the strategy, and that can be read. One without a row never began. */
function newestOf(
  sessions: readonly SessionFolder[],
  tag: string,
  read: (session: SessionFolder) => StateView | null,
): { readonly state: StateView; readonly session: string } | undefined {
  for (const each of sessions) {
    if (!each.record.strategies.some((one) => one.tag === tag)) continue;
    const state = read(each);
    if (state !== null && state.bornAt > 0) return { state, session: each.record.id };
  }
  return undefined;
}

/** Null where it is gone, or cannot be read and need not be. */
function stateOf({ path, record }: SessionFolder, fresh: boolean, logger: Logger): StateView | null {
  const lost = 'its state, refs of transfers and what it used of the limits of the day are not known';
  if (!existsSync(join(path, sessionFiles.journal))) {
    logger.warn({}, `the journal of ${record.id} is gone: ${lost}`);
    return null;
  }
  try {
    return replayJournal(path).state;
  } catch (thrown) {
    if (!fresh) throw thrown;
    logger.warn({}, `the journal of ${record.id} cannot be read (${messageOf(thrown)}): ${lost}`);
    return null;
  }
}

function usedBefore(strategy: string, { money, trades }: StateView, now: number): UsedBeforeEntry {
  return { kind: 'used-before', strategy, transfers: money.used(strategy, now), trades: trades.used(strategy) };
}

function isAny({ transfers: { refs, sums }, trades: { entries, closes } }: UsedBeforeEntry): boolean {
  return refs.length + entries + Object.keys(sums).length + Object.keys(closes).length > 0;
}
