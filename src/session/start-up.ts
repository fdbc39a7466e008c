/** Opens a session's journal. In paper, doubts are warnings. */
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../model/text/canonical.ts';
import { journalDoubt } from '../journal/verify.ts';
import { RESERVE_BYTES } from '../journal/files/reserve.ts';
import { openJournal } from '../journal/sqlite-store.ts';
import { sessionOfBoot } from '../spine/intent-id.ts';
import type { JournalStore } from '../model/entries/journal.ts';
import type { Json } from '../model/text/json.ts';
import type { Clock, Logger } from '../model/ports.ts';
import { buildDoubt, buildId, lastBuild, requireBuild } from './store/build.ts';
import type { Config } from './config/schema.ts';
import { freeSpace, probeWrites, requireFreeSpace, spaceDoubt } from './store/disk.ts';
import { takeOverDayLoss } from './store/day-loss.ts';
import { takeOverKept } from './store/kept.ts';
import { sessionErrors } from './errors.ts';
import { takePanicOrders } from './emergency/panic-orders.ts';
import { isRunning } from './store/is-running.ts';
import {
  isOfSameAccount,
  listSessions,
  sessionFiles,
  type SessionFolder,
  type SessionRecord,
  writeSession,
} from './store/store.ts';

/** A client order id has 64 characters. */
const BOOT_ID_MAX = 32;

export interface StartUp {
  readonly mode: 'paper' | 'live';
  readonly config: Config;
  readonly folder: SessionFolder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** `--new`: without the `state` of earlier sessions. */
  readonly fresh?: boolean | undefined;
  /** What a resumed session ran with before. */
  readonly ranWith?: SessionRecord['strategies'] | undefined;
}

/** Throws `disk_low`, `disk_full`, `not_writable`, `build_changed`, `clock_behind_journal`, and journal errors. */
export async function openSessionJournal({
  mode,
  config,
  folder,
  clock,
  logger,
  fresh = false,
  ranWith = [],
}: StartUp): Promise<JournalStore> {
  const { path } = folder;
  const isLive = mode === 'live';
  const bytes = journalBytes(path);
  if (isLive) requireFreeSpace(path, bytes);
  const { doubt } = probeWrites(path);
  for (const text of [isLive ? null : spaceDoubt(path, freeSpace(path, bytes)), doubt])
    if (text !== null) logger.warn({}, text);
  const lost = journalDoubt(path);
  if (lost !== null) logger.warn({}, lost.message);
  // Before opening, which migrates.
  const last = lastBuild(path);
  if (isLive) requireBuild(last, buildId());
  const changed = buildDoubt(last, buildId());
  if (changed !== null) logger.warn({}, changed);
  const { durability } = config.journal;
  const reserveBytes = isLive ? RESERVE_BYTES : 0;
  const journal = openJournal(path, { durability, now: clock.now(), reserveBytes });
  try {
    await untilLastRow(journal, clock);
    const taken = takePanicOrders(journal, folder, clock.now());
    const isNew = isLive && journal.lastSeq === 0;
    const ranBefore = isNew ? [] : ranWith.map(({ tag }) => tag);
    // What cannot be read leaves the journal as it is, so that the next start is as this one.
    try {
      if (isLive) takeOverKept(journal, folder, clock.now(), { ranBefore, logger, fresh });
    } catch (thrown) {
      // Those that were to join did not: the next start is as this one.
      if (!isNew && ranWith.length > 0) writeSession(path, { ...folder.record, strategies: [...ranWith] });
      throw thrown;
    }
    if (isNew) takeOverDayLoss(journal, folder, config.account.reporting, clock.now());
    if (taken > 0) logger.warn({}, `${taken} orders of a panic are adopted; their outcomes are polled first`);
    return journal;
  } catch (thrown) {
    journal.close();
    throw thrown;
  }
}

/** Unique, since part of every client order id. The time covers a restored older folder. */
export function bootIdOf({ record }: SessionFolder, now: number): string {
  const { id, startedAt, boots } = record;
  const epoch = Math.floor(startedAt).toString(36);
  const seconds = Math.max(0, Math.floor((now - startedAt) / 1000));
  return `${epoch}_${id.slice(-4)}_${seconds}_${boots}`.replaceAll(/[^A-Za-z0-9_]/g, '').slice(0, BOOT_ID_MAX);
}

/** Stopped sessions of the account, as intents name them. */
export function earlierSessions({ path, record }: SessionFolder): ReadonlySet<string> {
  const others = listSessions(dirname(path)).filter(
    (other) => other.record.id !== record.id && isOfSameAccount(other.record, record) && isOver(other),
  );
  return new Set(others.map((other) => sessionOfBoot(bootIdOf(other, other.record.startedAt))));
}

/** If its lock cannot be asked, it may run. */
function isOver(session: SessionFolder): boolean {
  try {
    return !isRunning(session);
  } catch {
    return false;
  }
}

export function startFacts(config: Config): Readonly<Record<string, Json>> {
  const hash = createHash('sha256').update(canonicalJson(config)).digest('hex');
  return { build: buildId(), config: hash.slice(0, 16) };
}

/** With its WAL. */
export function journalBytes(path: string): number {
  return ['', '-wal']
    .map((suffix) => join(path, `${sessionFiles.journal}${suffix}`))
    .reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
}

/** Tolerance between two measurements; more is a clock set back. */
const BEHIND_MS_MAX = 10_000;

/** Row times never decrease. Throws `clock_behind_journal`. */
export async function untilLastRow(journal: JournalStore, clock: Clock): Promise<void> {
  const [last] = journal.read(journal.lastSeq);
  const behindMs = (last?.ts ?? 0) - clock.now();
  if (behindMs <= 0 || last === undefined) return;
  if (behindMs > BEHIND_MS_MAX) {
    const at = new Date(last.ts).toISOString();
    throw sessionErrors.make(
      'clock_behind_journal',
      `this clock is ${(behindMs / 1000).toFixed(1)} s before the last row of the journal, which is of ${at}`,
      { behindMs },
    );
  }
  const caughtUp = Promise.withResolvers<void>();
  clock.after(behindMs, caughtUp.resolve);
  await caughtUp.promise;
}
