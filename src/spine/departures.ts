/**
 * The one way in which an intent leaves, at the end of its turn. The venue asks just before the bytes leave:
 *
 *   decided ─▶ spent? too old? stopped? ─▶ SENDING durable ─▶ too old or stopped since? ─▶ bytes
 *
 * Rules of orders and cancels: `execution/dispatcher.ts`. Rules of money: `treasury/money-intents.ts`.
 */
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { TidewireError } from '../model/errors.ts';
import type { JournalEntry } from '../model/entries/journal.ts';
import type { MoneySendingEntry } from '../model/entries/money-entries.ts';
import type { SendingEntry } from '../model/entries/order-entries.ts';
import type { Clock } from '../model/ports.ts';
import type { OnDispatch, Venue, VenueCommand } from '../model/venue.ts';

export interface SendingLog {
  /** The returned function makes this and all earlier rows durable. False: it failed, and the row is withdrawn. */
  allowing(entry: JournalEntry): () => boolean;
  readonly failure: TidewireError | undefined;
}

export interface Intent {
  readonly intentId: string;
  /** Unix ms. */
  readonly createdAt: number;
  /** Wall clock, Unix ms; 0: none. It advances while the machine sleeps. */
  readonly createdWall: number;
  /** The venue asked; no verdict yet. */
  leaving: boolean;
}

type SendingRow = SendingEntry | MoneySendingEntry;

export interface DepartureRules<I extends Intent, Row extends SendingRow> {
  readonly ttlMs: number;
  /** For messages. */
  nameOf(intent: I): string;
  /** Handed over before, or withdrawn. */
  spent(intent: I): Denied | null;
  stopped(intent: I): Denied | null;
  sending(intent: I): Row;
  /** May leave without a SENDING row, because it only cancels. */
  isFree(intent: I): boolean;
  left?(intent: I, sending: Row): void;
  went?(intent: I): void;
}

type Asked<I extends Intent> = Pick<DepartureRules<I, SendingRow>, 'ttlMs' | 'nameOf' | 'stopped'>;

interface Leaving {
  readonly command: VenueCommand;
  readonly onDispatch: OnDispatch;
}

export class Departures {
  readonly #log: SendingLog;
  readonly #clock: Clock;
  readonly #wall: (() => number) | undefined;
  #leaving: Leaving[] = [];

  /** `wall`: wall clock, Unix ms. It advances while the machine sleeps. */
  constructor(log: SendingLog, clock: Clock, wall: (() => number) | undefined) {
    this.#log = log;
    this.#clock = clock;
    this.#wall = wall;
  }

  decidedNow(): Omit<Intent, 'intentId'> {
    return { createdAt: this.#clock.now(), createdWall: this.#wall?.() ?? 0, leaving: false };
  }

  /** All intents of a turn leave together at its end, so that one durable commit serves them. */
  send<I extends Intent, Row extends SendingRow>(
    command: VenueCommand,
    rules: DepartureRules<I, Row>,
    intent: I,
  ): void {
    this.#leaving.push({ command, onDispatch: () => this.ask(rules, intent) });
  }

  leave(venue: Pick<Venue, 'send' | 'together'>): void {
    if (this.#leaving.length === 0) return;
    const leaving = this.#leaving;
    this.#leaving = [];
    const handOver = (): void => {
      for (const { command, onDispatch } of leaving) venue.send(command, onDispatch);
    };
    if (leaving.length === 1) handOver();
    else venue.together(handOver);
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
      // The commit can take long, and the machine may have slept.
      const late = this.#ageOf(intent);
      const stoppedSince = late > age ? stoppedAt(late, rules, intent) : null;
      if (stoppedSince !== null) return stoppedSince;
      rules.went?.(intent);
      return 'go';
    };
  }

  /**
   * Ms since the decision, by the larger of two clocks. The session clock stops while the machine sleeps; the wall
   * clock can be set.
   */
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
