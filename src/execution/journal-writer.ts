/**
 * Groups the rows of one turn of the executor into one commit, and closes the gate for good when a commit fails:
 * what cannot be journalled is not sent (INV-J3). Rows of a failed commit stay queued, bounded, and are retried with
 * the next one, so that cancels and fills after a disk-full moment are still recorded once there is room.
 */
import { messageOf, type TidewireError, isTidewireError } from '../model/errors.ts';
import type { JournalEntry, JournalStore } from '../model/journal.ts';
import type { Clock, Gate, GateClosure } from '../model/ports.ts';
import { executionErrors } from './errors.ts';

/** Rows that wait for a journal that has failed; beyond this the oldest are given up (the venue's history has them). */
const QUEUED_MAX = 10_000;

const YES = (): boolean => true;

export class JournalWriter {
  readonly gate: Gate;
  /** False where no row is ever kept: whoever would have to render one first need not. */
  readonly keeps: boolean;
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #onFailure: (error: TidewireError) => void;
  #queue: JournalEntry[] = [];
  #failure: TidewireError | undefined;

  constructor(store: JournalStore, clock: Clock, onFailure: (error: TidewireError) => void) {
    this.#store = store;
    this.keeps = store.keepsNothing !== true;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.gate = { name: 'journal', closedBecause: () => this.#closure() };
  }

  get failure(): TidewireError | undefined {
    return this.#failure;
  }

  put(entry: JournalEntry): void {
    if (!this.keeps) return;
    if (this.#queue.length >= QUEUED_MAX) this.#queue.shift();
    this.#queue.push(entry);
  }

  /**
   * Puts a row that allows a send. What is answered commits it with all that was put since; where that fails the row is taken back:
   * what it allows will not happen.
   */
  allowing(entry: JournalEntry): () => boolean {
    if (!this.keeps) return YES;
    this.put(entry);
    return () => {
      if (this.flush()) return true;
      const at = this.#queue.lastIndexOf(entry);
      if (at >= 0) this.#queue.splice(at, 1);
      return false;
    };
  }

  commit(entry: JournalEntry): boolean {
    return this.allowing(entry)();
  }

  /** True when everything that was put is durable. */
  flush(): boolean {
    if (this.#queue.length === 0) return this.#failure === undefined;
    const rows = this.#queue;
    try {
      this.#store.append(this.#clock.now(), rows);
      this.#queue = [];
      // Written on the reserve: what only reduces and explains still is, what takes risk is not allowed any more.
      if (this.#store.failing) this.#fail(this.#store.failing);
      return this.#failure === undefined;
    } catch (thrown) {
      this.#fail(thrown);
      return false;
    }
  }

  #fail(thrown: unknown): void {
    const first = this.#failure === undefined;
    this.#failure = isTidewireError(thrown)
      ? thrown
      : executionErrors.make('journal_failed', messageOf(thrown), {}, thrown);
    if (first) this.#onFailure(this.#failure);
  }

  #closure(): GateClosure | null {
    // What the store has found in an idle moment.
    if (this.#failure === undefined && this.#store.failing) this.#fail(this.#store.failing);
    if (this.#failure === undefined) return null;
    return { reason: 'journal_failed', message: `the journal cannot be written: ${this.#failure.message}` };
  }
}
