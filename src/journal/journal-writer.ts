/**
 * One commit per turn. A failure closes the gate permanently: nothing is sent unjournalled. Failed rows are queued,
 * bounded, and retried.
 */
import { messageOf, type TidewireError, isTidewireError } from '../model/errors.ts';
import type { JournalEntry, JournalStore } from '../model/entries/journal.ts';
import type { Clock, Gate, GateClosure } from '../model/ports.ts';
import { journalErrors } from './errors.ts';

/** The oldest are dropped; the venue's history has them. */
const QUEUED_MAX = 10_000;

const YES = (): boolean => true;
const NO = (): boolean => false;

export class JournalWriter {
  readonly gate: Gate;
  /** False: rows need not be rendered. */
  readonly keeps: boolean;
  readonly #store: JournalStore;
  readonly #clock: Clock;
  readonly #onFailure: (error: TidewireError) => void;
  #queue: JournalEntry[] = [];
  #failure: TidewireError | undefined;
  #isClosed = false;

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

  /** What still comes in, such as the answer to a request in flight, is not written: the store may be closed. */
  close(): void {
    this.#isClosed = true;
  }

  put(entry: JournalEntry): void {
    if (!this.keeps || this.#isClosed) return;
    if (this.#queue.length >= QUEUED_MAX) this.#queue.shift();
    this.#queue.push(entry);
  }

  /** For a row that allows a send. The returned function commits everything; on failure it withdraws this row. */
  allowing(entry: JournalEntry): () => boolean {
    if (!this.keeps) return YES;
    if (this.#isClosed) return NO;
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

  /** True when all is durable. */
  flush(): boolean {
    if (this.#queue.length === 0) return this.#failure === undefined;
    const rows = this.#queue;
    try {
      this.#store.append(this.#clock.now(), rows);
      this.#queue = [];
      // On the reserve only rows pass that reduce risk or explain.
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
      : journalErrors.make('journal_failed', messageOf(thrown), {}, thrown);
    if (first) this.#onFailure(this.#failure);
  }

  #closure(): GateClosure | null {
    if (this.#failure === undefined && this.#store.failing) this.#fail(this.#store.failing);
    if (this.#failure === undefined) return null;
    return { reason: 'journal_failed', message: `the journal cannot be written: ${this.#failure.message}` };
  }
}
