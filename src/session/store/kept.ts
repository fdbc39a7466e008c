/**
 * Carries what a strategy keeps from session to session, while the account stays: the values of `state`, its refs, the sums of
 * its transfers, what its protections count, and a pause or latch that stands. Each orderly end that leaves nothing ends a session; one that left something
 * is resumed after others have run and ended. A paper account begins anew, and its strategies with it.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { replayJournal, resumed } from '../../journal/resume.ts';
import type { JournalEntry, JournalStore } from '../../model/entries/journal.ts';
import type { UsedBeforeEntry } from '../../model/entries/used-before.ts';
import { partOf } from '../../model/part-of.ts';
import type { Logger } from '../../model/ports.ts';
import { type StateView, TradingState } from '../../spine/trading-state.ts';
import { PREFIX as SIGNALS } from '../signals/inbox.ts';
import { isOfSameAccount, listSessions, sessionFiles, type SessionFolder } from './store.ts';

export interface KeptOptions {
  /** Strategies that have run in this session before. */
  readonly ranBefore: readonly string[];
  readonly logger: Logger;
  /** `--new`: without `state` but the receipts of signals, and without what cannot be read. */
  readonly fresh: boolean;
}

/**
 * Into the journal of their session, of each strategy what the last other session of it knows and this one does not. `now`:
 * Unix ms. Throws errors of an earlier journal that cannot be read.
 */
export function takeOverKept(
  journal: JournalStore,
  folder: SessionFolder,
  now: number,
  { ranBefore, logger, fresh }: KeptOptions,
): void {
  const { id, startedAt, strategies } = folder.record;
  const others = listSessions(dirname(folder.path))
    .filter(({ record }) => record.id !== id && isOfSameAccount(record, folder.record))
    .toSorted((one, other) => lastOf(other) - lastOf(one));
  let own: StateView | undefined;
  const entries: JournalEntry[] = [];
  for (const { tag, name } of strategies) {
    // One that ended before this session began was taken over then.
    const from = ranBefore.includes(tag) ? others.filter((other) => lastOf(other) > startedAt) : others;
    const last = newestOf(from, tag, (session) => stateOf(session, fresh, logger));
    if (last === undefined) continue;
    const { state, session } = last;
    own ??= journal.lastSeq === 0 ? new TradingState() : resumed(journal).state;
    const used = usedBeside(own, tag, name, state, now);
    if (isAny(used)) entries.push(used);
    if (state.lastTs > own.lastTs) entries.push(...standing(own, tag, state));
    const values = newerThan(own, tag, state).filter(([key]) => !fresh || key.startsWith(`${SIGNALS}/`));
    for (const [key, value] of values) entries.push({ kind: 'state', key: `${tag}/${key}`, value });
    if (values.length > 0 && !fresh)
      logger.info({ strategy: tag }, `its state continues from ${session}; --new begins without`);
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

function newerThan(own: StateView, tag: string, { values, valuesAt }: StateView): (readonly [string, string])[] {
  const before = new Map(partOf(own.valuesAt, `${tag}/`));
  const at = new Map(partOf(valuesAt, `${tag}/`));
  return partOf(values, `${tag}/`).filter(([key]) => (at.get(key) ?? 0) > (before.get(key) ?? -1));
}

/** What denies new risk until a human's word. */
function standing(own: StateView, strategy: string, { pauses, latches }: StateView): readonly JournalEntry[] {
  const of = (kind: 'pause' | 'latch', before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) => {
    const reason = now.get(strategy);
    return reason === undefined || before.has(strategy) ? [] : [{ kind, strategy, on: true, reason }];
  };
  return [...of('pause', own.pauses, pauses), ...of('latch', own.latches, latches)];
}

/** What `state` counts beyond `own`. */
function usedBeside(
  own: StateView,
  strategy: string,
  name: string,
  { refs: orders, money, trades }: StateView,
  now: number,
): UsedBeforeEntry {
  const { refs, day, sums } = money.used(strategy, now);
  const { closes, ...entries } = trades.used(strategy);
  return {
    kind: 'used-before',
    strategy,
    orders: orders.beyond(own.refs, strategy, name),
    transfers: {
      refs: refs.filter((ref) => !own.money.hasRef(strategy, ref)),
      day,
      sums: partBeside(sums, ([currency, sum]) => own.money.transferred(strategy, currency, now).lt(sum)),
    },
    trades: {
      ...entries,
      entries: trades.entriesOf(strategy, now) > own.trades.entriesOf(strategy, now) ? entries.entries : 0,
      closes: partBeside(closes, ([symbol, { at }]) => at > (own.trades.lastClose(strategy, symbol)?.at ?? 0)),
    },
  };
}

function partBeside<Value>(
  of: Readonly<Record<string, Value>>,
  isNews: (row: [string, Value]) => boolean,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(of).filter(isNews));
}

function isAny({ orders, transfers: { refs, sums }, trades: { entries, closes } }: UsedBeforeEntry): boolean {
  const { given = {}, runs = {}, others = [] } = orders ?? {};
  const isKnown = [given, runs, sums, closes].every((of) => Object.keys(of).length === 0);
  return !isKnown || refs.length + others.length + entries > 0;
}
