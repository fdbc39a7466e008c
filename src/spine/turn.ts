/**
 * Run to completion: input during a turn waits. Events go out after the state is complete and journalled. Both queues
 * are empty after a turn.
 */
import { messageOf } from '../model/errors.ts';
import type { Cancel } from '../model/ports.ts';
import { shorten } from '../model/shorten.ts';
import type { ExecutorEvent } from './events.ts';

/** Bound against an endless exchange of answers between a strategy and a venue. */
const ROUNDS_MAX = 100_000;

export class Turn {
  /** Replaced, never mutated: a listener may unsubscribe or subscribe during delivery. */
  #listeners: readonly ((event: ExecutorEvent) => void)[] = [];
  readonly #inbox: (() => void)[] = [];
  readonly #outbox: ExecutorEvent[] = [];
  /** Those of the outbox that were delivered. */
  #delivered = 0;
  readonly #settle: () => void;
  readonly #onListenerError: (message: string) => void;
  #busy = false;
  /** Between the turns of `together`. */
  #isGathering = false;
  #begun = 0;

  /** `settle` commits the journal after each piece of work, before events go out. */
  constructor(settle: () => void, onListenerError: (message: string) => void) {
    this.#settle = settle;
    this.#onListenerError = onListenerError;
  }

  get begun(): number {
    return this.#begun;
  }

  /** False: nobody listens, so events need not be built. */
  get heard(): boolean {
    return this.#listeners.length > 0;
  }

  /** No turn is running: the next input begins one. */
  get isFree(): boolean {
    return !this.#busy;
  }

  /** An empty turn. */
  pass(): void {
    this.#begun++;
  }

  listen(listener: (event: ExecutorEvent) => void): Cancel {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners = this.#listeners.toSpliced(at, 1);
    };
  }

  emit(event: ExecutorEvent): void {
    if (this.#listeners.length > 0) this.#outbox.push(event);
  }

  /** Joins the turns that `work` begins into one, settled once at the end. */
  together(work: () => void): void {
    this.run(() => this.#within(true, work));
  }

  run(work: () => void): void {
    if (this.#isGathering) {
      this.#within(false, work);
      return;
    }
    if (this.#busy) {
      this.#inbox.push(work);
      return;
    }
    this.#busy = true;
    this.#begun++;
    try {
      work();
      this.#settle();
      this.#drain();
    } finally {
      this.#busy = false;
    }
  }

  #within(isGathering: boolean, work: () => void): void {
    const before = this.#isGathering;
    this.#isGathering = isGathering;
    try {
      work();
    } finally {
      this.#isGathering = before;
    }
  }

  #drain(): void {
    for (let round = 0; this.#inbox.length > 0 || this.#delivered < this.#outbox.length; round++) {
      if (round > ROUNDS_MAX)
        throw new RangeError('the executor never comes to an end: actions and answers cause each other endlessly');
      const event = this.#outbox[this.#delivered];
      if (event !== undefined) {
        this.#delivered++;
        this.#deliver(event);
        continue;
      }
      this.#inbox.shift()?.();
      this.#settle();
    }
    shorten(this.#outbox);
    this.#delivered = 0;
  }

  #deliver(event: ExecutorEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (thrown) {
        this.#onListenerError(`a listener failed on ${event.kind}: ${messageOf(thrown)}`);
      }
    }
  }
}
