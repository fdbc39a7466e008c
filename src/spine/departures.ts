/**
 * The one way in which an intent leaves, whatever it asks for. Asked by the venue just before the bytes leave:
 *
 *   decided ─▶ spent? too old? stopped? ─▶ SENDING durable ─▶ too old or stopped since? ─▶ bytes
 *
 * What differs by kind is a row of rules: orders and cancels in `execution/dispatcher.ts`, money in `treasury/money-intents.ts`.
 */
import { denied, type Denied } from '../model/deny-reason.ts';
import type { TidewireError } from '../model/errors.ts';
import type { JournalEntry } from '../model/journal.ts';
import type { MoneySendingEntry } from '../model/money-entries.ts';
import type { SendingEntry } from '../model/order-entries.ts';
import type { Clock } from '../model/ports.ts';
import type { OnDispatch } from '../model/venue.ts';

/** Where the row stands that lets an intent leave. */
export interface SendingLog {
  /** What is answered makes the row durable, and all that was put before it; false where it could not, and is taken back. */
  allowing(entry: JournalEntry): () => boolean;
  readonly failure: TidewireError | undefined;
}

export interface Intent {
  readonly intentId: string;
  /** Unix ms. */
  readonly createdAt: number;
  /** The same by the machine's wall clock, which counts its sleep; 0 where there is none. */
  readonly createdWall: number;
  /** Asked, and no verdict yet. */
  leaving: boolean;
}

type SendingRow = SendingEntry | MoneySendingEntry;

/** One row a kind of intent. */
export interface DepartureRules<I extends Intent, Row extends SendingRow> {
  /** How long it may wait; `Infinity`: it never grows too old. */
  readonly ttlMs: number;
  /** For people. */
  nameOf(intent: I): string;
  /** Why it is over: it was handed over before, or withdrawn. */
  spent(intent: I): Denied | null;
  /** Why it must not leave now. */
  stopped(intent: I): Denied | null;
  sending(intent: I): Row;
  /** Leaves also where its SENDING row cannot be journalled: it only takes back. */
  isFree(intent: I): boolean;
  /** Its SENDING row is durable. */
  left?(intent: I, sending: Row): void;
  /** Its bytes leave. */
  went?(intent: I): void;
}

type Asked<I extends Intent> = Pick<DepartureRules<I, SendingRow>, 'ttlMs' | 'nameOf' | 'stopped'>;

export class Departures {
  readonly #log: SendingLog;
  readonly #clock: Clock;
  readonly #wall: (() => number) | undefined;

  /** `wall`: the wall clock of the machine, Unix ms, which goes on while the machine sleeps. */
  constructor(log: SendingLog, clock: Clock, wall: (() => number) | undefined) {
    this.#log = log;
    this.#clock = clock;
    this.#wall = wall;
  }

  /** Of an intent that is decided now. */
  decidedNow(): Omit<Intent, 'intentId'> {
    return { createdAt: this.#clock.now(), createdWall: this.#wall?.() ?? 0, leaving: false };
  }

  ask<I extends Intent, Row extends SendingRow>(rules: DepartureRules<I, Row>, intent: I): ReturnType<OnDispatch> {
    const spent = rules.spent(intent);
    if (spent !== null) return spent;
    const age = this.#ageOf(intent);
    const stopped = stoppedAt(age, rules, intent);
    if (stopped !== null) return stopped;
    const sending = rules.sending(intent);
    const committed = this.#log.allowing(sending);
    intent.leaving = true;
    return () => {
      intent.leaving = false;
      if (!committed() && !rules.isFree(intent))
        return denied('journal_failed', this.#log.failure?.message ?? 'the journal cannot be written');
      rules.left?.(intent, sending);
      // The disk, or a machine that slept, took its time: what was asked before is old.
      const late = this.#ageOf(intent);
      const stoppedSince = late > age ? stoppedAt(late, rules, intent) : null;
      if (stoppedSince !== null) return stoppedSince;
      rules.went?.(intent);
      return 'go';
    };
  }

  /** Since the decision, ms: the session's clock stands still while the machine sleeps, and its wall clock may be set. */
  #ageOf({ createdAt, createdWall }: Intent): number {
    const wall = this.#wall;
    const age = this.#clock.now() - createdAt;
    return wall === undefined || createdWall === 0 ? age : Math.max(age, wall() - createdWall);
  }
}

function stoppedAt<I extends Intent>(age: number, rules: Asked<I>, intent: I): Denied | null {
  const { ttlMs } = rules;
  if (age > ttlMs)
    return denied('expired', `${rules.nameOf(intent)} waited ${Math.round(age)} ms, longer than ${ttlMs} ms`);
  return rules.stopped(intent);
}
