/** `panic`: cancels every order without journal or bot. */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Exchange } from '../../exchange/exchange.ts';
import { messageOf } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { Outcome } from '../../model/result.ts';
import { byProcess, type IsFolderHeld } from './held-folder.ts';
import { writeKillFile } from './kill-file.ts';
import { callStarts } from './start-call.ts';
import {
  folderPaths,
  isOver,
  sessionAt,
  sessionFiles,
  type SessionFolder,
  type SessionRecord,
} from '../store/store.ts';

export const PANIC_PATIENCE_MS = 60_000;
const PAUSE_MS = 500;
const RETRY_MS = 250;
const KEY_TRIES = 3;
const EMPTY_READINGS = 2;
const ROW_PAUSE_MS = 2_000;
const LATE = 'no answer within the time that was left';

export interface Cancelled {
  readonly requests: number;
  /** Orders that a cancel named and the last complete list of open ones does not show. */
  readonly canceled: number;
  /** Null: not confirmed. */
  readonly openAfter: number | null;
  /** Null without a complete poll. */
  readonly resting: readonly string[] | null;
}

export interface CancelTerms {
  /** Of all requests together, answered or not; a list that shows none then still gets `lagMs` to prove it. */
  readonly patienceMs?: number;
  /** Of the open-order list. */
  readonly lagMs?: number;
  /** Until then an empty poll is no evidence. */
  readonly isQuiet?: () => boolean;
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

function pathsUnder(root: string, problems: Problems): readonly string[] {
  try {
    return folderPaths(root);
  } catch (thrown) {
    problems.add(messageOf(thrown));
    return [];
  }
}

export function readableSessions(root: string, problems: Problems): readonly SessionFolder[] {
  return pathsUnder(root, problems).flatMap((path) => {
    try {
      return sessionAt(path) ?? [];
    } catch (thrown) {
      problems.add(messageOf(thrown));
      return [];
    }
  });
}

export interface ToldSession {
  readonly id: string;
  readonly path: string;
  /** Else the next start resumes it. */
  readonly runs: boolean;
}

/** Latches every resumable or unreadable session. */
export function tellSessions(
  root: string,
  reason: string,
  problems: Problems,
  isHeld: IsFolderHeld = byProcess,
): readonly ToldSession[] {
  try {
    callStarts(root, reason);
  } catch (thrown) {
    problems.add(`a start could not be notified: ${messageOf(thrown)}`);
    problems.unwritten(noKillFile(root));
  }
  const sessions = readableSessions(root, problems);
  const known = new Map(sessions.map((session) => [session.path, session.record] as const));
  const told: ToldSession[] = [];
  for (const path of pathsUnder(root, new Problems())) {
    const record = known.get(path);
    if (record === undefined ? !existsSync(join(path, sessionFiles.journal)) : !isCalled(record)) continue;
    const runs = record?.clean !== true && isHeld(path, record?.pid ?? null);
    try {
      writeKillFile(join(path, sessionFiles.kill), reason);
      told.push({ id: record?.id ?? basename(path), path, runs });
    } catch (thrown) {
      problems.add(`${path} could not be notified: ${messageOf(thrown)}`);
      problems.unwritten(noKillFile(root));
    }
  }
  return told;
}

function noKillFile(root: string): string {
  return `${root}: the file KILL could not be written, so a start is not blocked. Make the folder writable (rights, a full or read-only disk) and call \`tidewire panic\` again before anything is started`;
}

function isCalled(record: SessionRecord): boolean {
  return record.mode === 'live' && !isOver(record);
}

function cancelAll(exchange: Pick<Exchange, 'orders'>): Promise<Outcome> {
  return new Promise((resolve) => {
    exchange.orders.cancelAll(null, { lane: 'kill' }, resolve);
  });
}

export class Problems {
  readonly #counts = new Map<string, number>();
  readonly #unwritten = new Set<string>();

  add(text: string): void {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  /** `text`: what could not be written down, where, and what to do before the next start. */
  unwritten(text: string): void {
    this.#unwritten.add(text);
  }

  /** The next start would not know of these. */
  listUnwritten(): readonly string[] {
    return [...this.#unwritten];
  }

  list(): readonly string[] {
    return [...this.#counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
  }
}

/** At most eight requests a second. */
export async function cancelEverything(
  exchange: Pick<Exchange, 'orders' | 'http'>,
  clock: Clock,
  problems: Problems,
  { patienceMs = PANIC_PATIENCE_MS, lagMs = 0, isQuiet = () => true }: CancelTerms = {},
): Promise<Cancelled> {
  const patience = clock.now() + patienceMs;
  const row = new EmptyRow(lagMs);
  const leftMs = (): number => Math.max(0, patience + (row.lasts ? lagMs : 0) - clock.now());
  const named = new Set<string>();
  let canceled = 0;
  let requests = 0;
  let isAnswered = false;
  let resting: readonly string[] | null = null;
  do {
    const quiet = isQuiet();
    const outcome = await within(clock, leftMs(), cancelAll(exchange), { kind: 'unknown', reason: LATE });
    requests++;
    if (outcome.kind === 'accepted') {
      isAnswered = true;
      for (const orderId of outcome.canceled ?? []) named.add(orderId);
    } else {
      problems.add(`cancel all: ${outcome.kind} ${whyOf(outcome)}`);
    }
    const unread = { kind: 'failed', asOf: clock.now(), reason: LATE } as const;
    const active = await within(clock, leftMs(), exchange.orders.active(), unread);
    const failed = active.kind !== 'complete';
    if (failed) {
      problems.add(`active orders could not be read: ${active.reason}`);
    } else {
      resting = active.items.map(textOf);
      const stands = new Set(active.items.map(({ orderId }) => orderId));
      canceled = [...named].filter((orderId) => !stands.has(orderId)).length;
      row.read(quiet && resting.length === 0, clock.now());
      if (isAnswered && row.isLong) return { requests, canceled, openAfter: 0, resting };
    }
    // A refused key stays refused.
    if (exchange.http.keyRefused !== null && requests >= KEY_TRIES) break;
    // Also between empty polls: a bot may not have seen its kill file.
    const pauseMs = failed ? RETRY_MS : row.lasts ? Math.min(ROW_PAUSE_MS, Math.max(PAUSE_MS, lagMs / 4)) : PAUSE_MS;
    await pause(clock, Math.min(pauseMs, leftMs()));
  } while (leftMs() > 0);
  if (!isAnswered) problems.add('the exchange has not answered one cancel of all orders');
  const rests = resting?.length ?? 0;
  return { requests, canceled, openAfter: rests === 0 ? null : rests, resting };
}

/** `late` when it takes longer; the request continues. */
function within<T>(clock: Clock, ms: number, asked: Promise<T>, late: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const disarm = clock.after(ms, () => resolve(late));
    void asked.finally(disarm).then(resolve, reject);
  });
}

class EmptyRow {
  readonly #lagMs: number;
  #count = 0;
  #since = 0;
  #last = 0;

  constructor(lagMs: number) {
    this.#lagMs = lagMs;
  }

  read(isEmpty: boolean, now: number): void {
    if (isEmpty && this.#count === 0) this.#since = now;
    this.#count = isEmpty ? this.#count + 1 : 0;
    this.#last = now;
  }

  get lasts(): boolean {
    return this.#count > 0;
  }

  get isLong(): boolean {
    return this.#count >= EMPTY_READINGS && this.#last - this.#since >= this.#lagMs;
  }
}

function textOf({ orderId, symbol, side, price, quantity }: OrderReport): string {
  return `${orderId} ${side} ${quantity} ${symbol}${price === null ? '' : ` at ${price}`}`;
}

function whyOf(outcome: Exclude<Outcome, { kind: 'accepted' }>): string {
  return 'message' in outcome ? outcome.message : 'reason' in outcome ? outcome.reason : outcome.denied.message;
}
