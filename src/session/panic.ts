/**
 * `panic`: cancels every order of the account by a path of its own, which needs neither a journal nor a healthy bot. The
 * running sessions are told by the kill file first, so that nothing new is sent meanwhile. An order is gone when two
 * complete readings in a row show none.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Exchange } from '../exchange/exchange.ts';
import { messageOf } from '../model/errors.ts';
import type { Clock } from '../model/ports.ts';
import type { OrderReport } from '../model/order.ts';
import type { Outcome } from '../model/result.ts';
import { writeKillFile } from './kill-file.ts';
import { callStarts } from './start-call.ts';
import { folderPaths, isOver, readSession, sessionFiles, type SessionFolder, type SessionRecord } from './store.ts';

/** How long a panic tries, unless it is told otherwise; it ends as soon as two readings show nothing. */
export const PANIC_PATIENCE_MS = 60_000;
const PAUSE_MS = 500;
/** After a reading that failed. */
const RETRY_MS = 250;
const KEY_TRIES = 3;
/** Complete readings without an order, in a row: a reading that failed says nothing, so it does not break the row. */
const EMPTY_READINGS = 2;
/** Between two readings of a row that lasts. */
const ROW_PAUSE_MS = 2_000;

export interface Cancelled {
  readonly requests: number;
  /** Orders that the exchange says were cancelled. */
  readonly canceled: number;
  /** Null: not proved. */
  readonly openAfter: number | null;
  /** What the last complete reading showed; null where there was none. */
  readonly resting: readonly string[] | null;
}

export interface CancelTerms {
  readonly patienceMs?: number;
  /** What a list of open orders may lag behind: the row of empty readings is longer. */
  readonly lagMs?: number;
  /** Whether nobody can send any more: before that an empty reading says nothing of later. */
  readonly isQuiet?: () => boolean;
}

function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

/** A folder that cannot be listed must not stop a panic either. */
function pathsUnder(root: string, problems: Problems): readonly string[] {
  try {
    return folderPaths(root);
  } catch (thrown) {
    problems.add(messageOf(thrown));
    return [];
  }
}

/** The sessions that can be read; the others are told as problems, since a panic must not stop at them. */
export function readableSessions(root: string, problems: Problems): readonly SessionFolder[] {
  return pathsUnder(root, problems).flatMap((path) => {
    try {
      return readSession(path) ?? [];
    } catch (thrown) {
      problems.add(messageOf(thrown));
      return [];
    }
  });
}

/**
 * Latches every session that a start would go on with, and for safety those that cannot be read; answers their ids. Whatever is
 * starting is called first: what does not hear it can be found afterwards.
 */
export function tellSessions(root: string, reason: string, problems: Problems): readonly string[] {
  try {
    callStarts(root, reason);
  } catch (thrown) {
    problems.add(`a start could not be told: ${messageOf(thrown)}`);
  }
  const sessions = readableSessions(root, problems);
  const known = new Map(sessions.map((session) => [session.path, session.record] as const));
  const told: string[] = [];
  for (const path of pathsUnder(root, new Problems())) {
    const record = known.get(path);
    if (record === undefined ? !existsSync(join(path, sessionFiles.journal)) : !isCalled(record)) continue;
    try {
      writeKillFile(join(path, sessionFiles.kill), reason);
      told.push(record?.id ?? basename(path));
    } catch (thrown) {
      problems.add(`${path} could not be told: ${messageOf(thrown)}`);
    }
  }
  return told;
}

function isCalled(record: SessionRecord): boolean {
  return record.mode === 'live' && !isOver(record);
}

function cancelAll(exchange: Pick<Exchange, 'orders'>): Promise<Outcome> {
  return new Promise((resolve) => {
    exchange.orders.cancelAll(null, { lane: 'kill' }, resolve);
  });
}

/** A problem that comes again and again is said once, with its count. */
export class Problems {
  readonly #counts = new Map<string, number>();

  add(text: string): void {
    this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
  }

  list(): readonly string[] {
    return [...this.#counts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`));
  }
}

/**
 * Cancels until the exchange has answered a cancel of all and a row of complete readings shows no order, or until patience
 * ends. At most eight requests a second.
 */
export async function cancelEverything(
  exchange: Pick<Exchange, 'orders' | 'http'>,
  clock: Clock,
  problems: Problems,
  { patienceMs = PANIC_PATIENCE_MS, lagMs = 0, isQuiet = () => true }: CancelTerms = {},
): Promise<Cancelled> {
  const deadline = clock.now() + patienceMs + lagMs;
  const row = new EmptyRow(lagMs);
  let canceled = 0;
  let requests = 0;
  let isAnswered = false;
  let resting: readonly string[] | null = null;
  do {
    const quiet = isQuiet();
    const outcome = await cancelAll(exchange);
    requests++;
    if (outcome.kind === 'accepted') {
      isAnswered = true;
      canceled += outcome.canceled?.length ?? 0;
    } else {
      problems.add(`cancel all: ${outcome.kind} ${whyOf(outcome)}`);
    }
    const active = await exchange.orders.active();
    const failed = active.kind !== 'complete';
    if (failed) {
      problems.add(`active orders could not be read: ${active.reason}`);
    } else {
      resting = active.items.map(textOf);
      row.read(quiet && resting.length === 0, clock.now());
      if (isAnswered && row.isLong) return { requests, canceled, openAfter: 0, resting };
    }
    // A key that is no good does not get better.
    if (exchange.http.keyRefused !== null && requests >= KEY_TRIES) break;
    // Also between two empty readings: a running bot looks for its kill file only every so often.
    await pause(
      clock,
      failed ? RETRY_MS : row.lasts ? Math.min(ROW_PAUSE_MS, Math.max(PAUSE_MS, lagMs / 4)) : PAUSE_MS,
    );
  } while (clock.now() < deadline);
  if (!isAnswered) problems.add('the exchange has not answered one cancel of all orders');
  const rests = resting?.length ?? 0;
  return { requests, canceled, openAfter: rests === 0 ? null : rests, resting };
}

/** Complete readings without an order that follow each other. */
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
