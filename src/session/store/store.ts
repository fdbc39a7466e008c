/** Sessions on disk, a folder each under `journal.dir`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../../journal/files/files.ts';
import { messageOf } from '../../model/errors.ts';
import { sessionErrors } from '../errors.ts';
import { writeOwnerFile } from './owner-file.ts';
import { cannotWrite } from './cannot-write.ts';

const sessionSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  mode: z.enum(['paper', 'live']),
  strategies: z.array(
    z.object({
      name: z.string(),
      tag: z.string(),
      file: z.string(),
      params: z.record(z.string(), z.unknown()),
      /** Hash; absent in older sessions. */
      code: z.string().optional(),
    }),
  ),
  seed: z.number(),
  account: z.string(),
  exchange: z.string(),
  startedAt: z.number(),
  /** Currency of its equity and its losses; absent in older sessions. */
  reporting: z.string().optional(),
  /** Starts so far; the boot epoch of client order ids. */
  boots: z.number(),
  /** Of the last start. */
  pid: z.number(),
  /** Unix ms with µs. */
  decidingFrom: z.number().nullable(),
  /** Their stop. */
  decidingTo: z.number().nullable(),
  clean: z.boolean(),
  /** The next start resumes it latched. */
  latched: z.boolean().default(false),
  /** The next start resumes it. */
  left: z.boolean().default(false),
  endedAt: z.number().nullable(),
  /** UTC day; a gain is negative. */
  dayLoss: z.object({ day: z.string(), amount: z.number(), currency: z.string() }).nullable().default(null),
});

export type SessionRecord = z.infer<typeof sessionSchema>;

export interface SessionFolder {
  readonly path: string;
  readonly record: SessionRecord;
}

export const sessionFiles = {
  journal: 'journal.db',
  recording: 'recording',
  log: 'session.log',
  actions: 'actions.jsonl',
  result: 'result.json',
  /** Written by `panic`. */
  kill: 'KILL',
  /** Replaced every second, for the watchdog. */
  heartbeat: 'heartbeat',
  losses: 'losses.json',
  prices: 'prices.json',
  /** Written by `drift`. */
  drift: 'drift.json',
  limits: 'LIMITS',
  cancel: 'CANCEL',
} as const;

export function writeSession(path: string, record: SessionRecord): void {
  const file = join(path, 'session.json');
  writeOwnerFile(file, `${JSON.stringify(record, null, 2)}\n`, { replace: true });
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

export const notEnded = {
  decidingFrom: null,
  decidingTo: null,
  clean: false,
  latched: false,
  left: false,
  endedAt: null,
  dayLoss: null,
} as const;

export interface NewSession {
  readonly mode: SessionRecord['mode'];
  readonly strategies: SessionRecord['strategies'];
  readonly seed: number;
  readonly account: string;
  readonly exchange: string;
  readonly reporting?: string;
  readonly now: number;
  /** Separates ids of the same second. */
  readonly suffix: string;
}

export function createSession(root: string, session: NewSession): SessionFolder {
  const name = session.strategies
    .map(({ tag }) => tag)
    .join('+')
    .slice(0, 40);
  const id = `${session.mode}-${name}-${stamp(session.now)}-${session.suffix}`;
  const path = join(root, id);
  try {
    makeFolder(path, 0o700);
  } catch (thrown) {
    throw cannotWrite(path, thrown);
  }
  const { mode, strategies, seed, account, exchange, reporting, now } = session;
  const record: SessionRecord = {
    version: 1,
    id,
    mode,
    strategies,
    seed,
    account,
    exchange,
    ...(reporting === undefined ? {} : { reporting }),
    startedAt: now,
    boots: 1,
    pid: process.pid,
    ...notEnded,
  };
  writeSession(path, record);
  return { path, record };
}

function isAbsent(thrown: unknown): boolean {
  const code = (thrown as { readonly code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function unreadable(path: string, reason: string): Error {
  return sessionErrors.make('session_unreadable', `${path}: ${reason}`, { path });
}

/** Throws `session_unreadable`. */
export function readSession(path: string): SessionFolder | null {
  const file = join(path, 'session.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    if (isAbsent(thrown)) return null;
    throw unreadable(file, messageOf(thrown));
  }
  return { path, record: parseSession(text, file) };
}

/** Throws `session_unreadable`. */
export function parseSession(text: string, file: string): SessionRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw unreadable(file, messageOf(thrown));
  }
  const parsed = sessionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw unreadable(file, parsed.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`).join('; '));
}

/** As `readSession`, in a folder of sessions: what was lost or moved into an older one of its name is no absence. Throws `session_unreadable`. */
export function sessionAt(path: string): SessionFolder | null {
  const session = readSession(path);
  if (session !== null) return session;
  const inner = join(path, basename(path));
  if (existsSync(join(inner, 'session.json')))
    throw unreadable(path, `the session stands one folder too deep, in ${inner}; move it up`);
  // It is written before the journal, so it was lost.
  if (!existsSync(join(path, sessionFiles.journal))) return null;
  throw unreadable(join(path, 'session.json'), 'it is gone, and a journal is there');
}

export function folderPaths(root: string): readonly string[] {
  try {
    return readdirSync(root)
      .filter((name) => !name.startsWith('.'))
      .map((name) => join(root, name));
  } catch (thrown) {
    if (isAbsent(thrown)) return [];
    throw unreadable(root, messageOf(thrown));
  }
}

/** Newest first. `unreadable` takes a session that cannot be read; by default it throws. */
export function listSessions(
  root: string,
  unreadable?: (path: string, thrown: unknown) => void,
): readonly SessionFolder[] {
  return folderPaths(root)
    .flatMap((path) => {
      try {
        return sessionAt(path) ?? [];
      } catch (thrown) {
        if (unreadable === undefined) throw thrown;
        unreadable(path, thrown);
        return [];
      }
    })
    .toSorted((left, right) => right.record.startedAt - left.record.startedAt);
}

/** By folder or id. Throws `session_not_found`. */
export function findSession(root: string, wanted: string): SessionFolder {
  const session = readSession(wanted) ?? sessionAt(join(root, wanted));
  if (session !== null) return session;
  const known = listSessions(root, () => {})
    .slice(0, 5)
    .map(({ record }) => record.id);
  const hint = known.length === 0 ? `there are none under ${root}` : `newest: ${known.join(', ')}`;
  throw sessionErrors.make('session_not_found', `no session ${wanted}; ${hint}`, { session: wanted });
}

export type AccountKey = Pick<SessionRecord, 'mode' | 'account' | 'exchange'>;

/** Of one mode on one account. */
export function isOfSameAccount(one: AccountKey, other: AccountKey): boolean {
  return one.mode === other.mode && one.account === other.account && one.exchange === other.exchange;
}

/** No start resumes it. */
export function isOver({ clean, latched, left }: Pick<SessionRecord, 'clean' | 'latched' | 'left'>): boolean {
  return clean && !latched && !left;
}

/** Of each set of strategies the newest that died or was killed, or the last one if it left something. By their tags. */
export function unfinishedByTags(root: string, account: AccountKey): ReadonlyMap<string, SessionFolder> {
  const seen = new Set<string>();
  const unfinished = new Map<string, SessionFolder>();
  for (const session of listSessions(root)) {
    const { record } = session;
    if (!isOfSameAccount(record, account)) continue;
    const tags = tagsKey(record.strategies);
    const isLast = !seen.has(tags);
    seen.add(tags);
    if (!unfinished.has(tags) && !isOver({ ...record, left: record.left && isLast })) unfinished.set(tags, session);
  }
  return unfinished;
}

/** In any order. */
export function tagsKey(strategies: readonly { readonly tag: string }[]): string {
  return strategies
    .map(({ tag }) => tag)
    .toSorted()
    .join(',');
}
