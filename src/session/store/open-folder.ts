/** A session's folder: the newest unfinished one of the same mode, account, exchange and strategies (or some of them), else a new one. */
import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { journalDoubt } from '../../journal/verify.ts';
import { LOCK_WAIT_MS, type SessionLock } from '../../journal/files/lock.ts';
import { makeFolder } from '../../journal/files/files.ts';
import { AccountCalls } from '../emergency/account-call.ts';
import { buildId, lastBuild, requireBuild } from './build.ts';
import { cannotWrite } from './cannot-write.ts';
import { holdAccount, refuseOtherKey } from './account-lock.ts';
import { accountFolder } from './account-place.ts';
import { sessionErrors } from '../errors.ts';
import { isRunning } from './is-running.ts';
import { removeLiveRecord, writeLiveRecord, type LiveRecord } from '../emergency/live-record.ts';
import { sessionState } from '../upkeep/session-state.ts';
import { hearStarts, type StartCall } from '../emergency/start-call.ts';
import {
  createSession,
  isOfSameAccount,
  listSessions,
  notEnded,
  sessionFiles,
  tagsKey,
  unfinishedByTags,
  writeSession,
  type SessionFolder,
  type SessionRecord,
} from './store.ts';
import type { PreparedStrategy } from '../strategies.ts';

export interface FolderWish {
  readonly root: string;
  readonly mode: SessionRecord['mode'];
  readonly strategies: readonly PreparedStrategy[];
  readonly seed: number;
  readonly account: string;
  readonly exchange: string;
  readonly publicKey?: string | undefined;
  readonly reporting?: string;
  readonly fresh: boolean;
  /** For `panic`. */
  readonly leaves?: Pick<LiveRecord, 'exchange' | 'keyHash' | 'keyFile' | 'lagMs'>;
}

function running({ record }: SessionFolder): Error {
  const { id, pid, account } = record;
  return sessionErrors.make('session_running', `${id} runs in process ${pid}, on account ${account}`, { session: id });
}

function runningOn(root: string, account: string, exchange: string): SessionFolder | null {
  const live = { mode: 'live', account, exchange } as const;
  const found = listSessions(root).find(
    (session) => isOfSameAccount(session.record, live) && isRunning(session, LOCK_WAIT_MS),
  );
  return found ?? null;
}

interface Earlier {
  readonly resumes: SessionFolder | null;
  /** What abandoned sessions hold. */
  readonly givesUp: readonly string[];
}

/** What a start continues. Null: nothing is left, or no journal. */
export function resumable(wish: FolderWish): SessionFolder | null {
  const own = continued(wish, unfinishedByTags(wish.root, wish));
  return own !== null && existsSync(join(own.path, sessionFiles.journal)) ? own : null;
}

/** That of the same strategies; live, else the newest of some of them: the others join it. */
function continued(
  { mode, strategies, fresh }: FolderWish,
  unfinished: ReadonlyMap<string, SessionFolder>,
): SessionFolder | null {
  if (fresh) return null;
  const own = unfinished.get(tagsKey(strategies)) ?? null;
  if (own !== null || mode === 'paper') return own;
  const tags = tagsOf(strategies);
  return [...unfinished.values()].find(({ record }) => record.strategies.every(({ tag }) => tags.has(tag))) ?? null;
}

function tagsOf(strategies: readonly PreparedStrategy[]): ReadonlySet<string> {
  return new Set(strategies.map(({ tag }) => tag));
}

/** Equity, losses of the day and result are numbers of one currency. Throws `reporting_changed`. */
function requireReporting(
  { record: { id, reporting: began } }: SessionFolder,
  { reporting = began }: FolderWish,
): void {
  if (began === undefined || began === reporting) return;
  const message = `${id} counts its equity and its losses in ${began}, and account.reporting is ${reporting}`;
  throw sessionErrors.make('reporting_changed', message, { session: id });
}

/**
 * A live start abandons what it does not resume: also sessions of other strategies. Throws `session_running`,
 * `session_unfinished`, `build_changed`, `reporting_changed`.
 */
function earlier(wish: FolderWish): Earlier {
  const unfinished = unfinishedByTags(wish.root, wish);
  const resumes = continued(wish, unfinished);
  const left = wish.mode === 'live' ? [...unfinished.values()].filter((session) => session !== resumes) : [];
  const givesUp = left.flatMap((session) => abandoned(session, wish, resumes) ?? []);
  if (resumes !== null && isRunning(resumes, LOCK_WAIT_MS)) throw running(resumes);
  if (resumes !== null) requireReporting(resumes, wish);
  if (resumes !== null && wish.mode === 'live') requireBuild(lastBuild(resumes.path), buildId());
  return { resumes, givesUp };
}

/**
 * Throws `session_unfinished` where orders, unknown outcomes, programs or a latch would be lost, or a strategy would not
 * know what it holds.
 */
function abandoned(
  folder: SessionFolder,
  { strategies, fresh }: FolderWish,
  resumes: SessionFolder | null,
): string | null {
  const { id } = folder.record;
  const lost = journalDoubt(folder.path);
  if (lost?.kind === 'rewound')
    throw sessionErrors.make('session_unfinished', `what ${id} left is not known: ${lost.message}`, { session: id });
  if (!existsSync(join(folder.path, sessionFiles.journal))) return null;
  const { openOrders, unresolved, killed, positions, programs } = sessionState(folder);
  if (killed !== null)
    throw sessionErrors.make('session_unfinished', `the kill switch of ${id} is on: ${killed}`, { session: id });
  if (openOrders.length > 0 || unresolved > 0)
    throw sessionErrors.make(
      'session_unfinished',
      `${id} left ${openOrders.length} orders, and ${unresolved} ${unresolved === 1 ? 'order or movement' : 'orders or movements'} of money of unknown outcome; a new session would not know them`,
      { session: id },
    );
  if (programs.length > 0)
    throw sessionErrors.make(
      'session_unfinished',
      `${id} left ${programs.map(({ ref }) => ref).join(', ')} at work; a new session would not watch what they protect`,
      { session: id },
    );
  const open = positions.filter(({ isFlat }) => !isFlat);
  const held = open.map(({ tag, symbol, positionSide, quantity }) => {
    const side = positionSide === 'both' ? '' : ` ${positionSide}`;
    return `${quantity} ${symbol}${side} of ${tag}`;
  });
  const tags = tagsOf(strategies);
  if (!fresh && open.some(({ tag }) => tags.has(tag))) {
    const began = resumes === null ? 'a new session' : `${resumes.record.id}, which is unfinished too,`;
    const alone = folder.record.strategies.map(({ tag }) => tag).join(', ');
    const way = resumes === null ? '' : `. No session knows both: start ${alone} alone first, until it holds nothing`;
    const message = `${id} left ${held.join(', ')}; ${began} would begin as if nothing were held, and could buy it again${way}`;
    throw sessionErrors.make('session_unfinished', message, { session: id });
  }
  return held.length === 0 ? null : `${held.join(', ')} stays with ${id}: no strategy of the new session knows of it`;
}

export interface SessionClaim extends SessionLock, StartCall {
  readonly calls: AccountCalls | null;
}

/**
 * Call before any request. Throws `session_running`, `session_unfinished`, `build_changed`, `journal_newer`,
 * `not_writable`, and errors of `holdAccount`.
 */
export function claimSession(wish: FolderWish): SessionClaim {
  const { root, mode, account, exchange, publicKey } = wish;
  if (mode === 'live') {
    refuseOtherKey({ account, exchange, publicKey });
    const other = runningOn(root, account, exchange);
    if (other !== null) throw running(other);
  }
  earlier(wish);
  // `panic` calls only live sessions.
  if (mode !== 'live') return { release: () => {}, passOn: () => {}, calls: null };
  requireWritable(root);
  const starts = hearStarts(root);
  const identity = { account, exchange, publicKey };
  const lock = holdAccount(identity);
  const place = accountFolder(identity);
  const leave = (path: string | null): void => {
    if (wish.leaves !== undefined)
      writeLiveRecord(place, { ...wish.leaves, version: 1, pid: process.pid, account, root, path });
  };
  leave(null);
  return {
    calls: new AccountCalls(place),
    passOn: (path) => {
      leave(path);
      starts.passOn(path);
    },
    release: () => {
      removeLiveRecord(place);
      lock.release();
    },
  };
}

function requireWritable(root: string): void {
  try {
    makeFolder(root, 0o700);
    accessSync(root, constants.W_OK);
  } catch (thrown) {
    throw cannotWrite(root, thrown);
  }
}

export interface OpenedFolder extends SessionFolder {
  /** Why it continues an earlier session, or null. */
  readonly resumed: string | null;
  /** What a resumed session ran with before. */
  readonly ranWith: SessionRecord['strategies'];
  readonly givesUp: readonly string[];
  /** In the order of the session: the first keeps its receipts of signals. */
  readonly strategies: readonly PreparedStrategy[];
}

/** Those that join come last. */
function inOrderOf(
  { strategies: known }: SessionRecord,
  started: readonly PreparedStrategy[],
): readonly PreparedStrategy[] {
  const placeOf = ({ tag }: PreparedStrategy): number => {
    const place = known.findIndex((one) => one.tag === tag);
    return place < 0 ? known.length : place;
  };
  return started.toSorted((left, right) => placeOf(left) - placeOf(right));
}

function whyResumed(folder: SessionFolder): string {
  const { clean, latched, left } = folder.record;
  if (!clean) return 'did not end orderly';
  if (latched && sessionState(folder).killed !== null) return 'ended with its kill switch on';
  return left ? 'left orders, a position, a latch, a pause or a halt' : 'was killed, and cleared since';
}

/** Throws `session_running`, `session_unfinished`, `build_changed`, `journal_newer`, `disk_full`, `not_writable`. */
export function openFolder(wish: FolderWish, now: number): OpenedFolder {
  const { root, mode, seed, account, exchange, reporting } = wish;
  const { resumes: unclean, givesUp } = earlier(wish);
  const ordered = unclean === null ? wish.strategies : inOrderOf(unclean.record, wish.strategies);
  const strategies = ordered.map(({ loaded, tag, file, params }) => ({
    name: loaded.definition.name,
    tag,
    file,
    params: { ...params },
    code: loaded.hash,
  }));
  if (unclean !== null) {
    const resumed = whyResumed(unclean);
    const record = {
      ...unclean.record,
      strategies,
      ...(reporting === undefined ? {} : { reporting }),
      boots: unclean.record.boots + 1,
      pid: process.pid,
      ...notEnded,
    };
    writeSession(unclean.path, record);
    return { path: unclean.path, record, resumed, ranWith: unclean.record.strategies, givesUp, strategies: ordered };
  }
  const made = createSession(root, {
    mode,
    strategies,
    seed,
    account,
    exchange,
    ...(reporting === undefined ? {} : { reporting }),
    now,
    suffix: randomBytes(2).toString('hex'),
  });
  return { ...made, resumed: null, ranWith: [], givesUp, strategies: ordered };
}
