/**
 * Run to completion: what comes in while the executor works (a venue that answers at once, a strategy that acts on an
 * event) waits its turn; what goes out is told after the state is whole and journalled. So no code ever sees a state
 * in between, and events keep their order. Both queues hold what one turn makes and are empty after it.
 */
import { messageOf } from '../model/errors.ts';
import type { Cancel } from '../model/ports.ts';
import type { ExecutorEvent } from './events.ts';

/** A strategy and a venue that answer each other within one instant for so long will never stop. */
const ROUNDS_MAX = 100_000;

export class Turn {
  /** Never changed, but replaced: a listener may unsubscribe itself, or subscribe another, while it is told. */
  #listeners: readonly ((event: ExecutorEvent) => void)[] = [];
  readonly #inbox: (() => void)[] = [];
  readonly #outbox: ExecutorEvent[] = [];
  readonly #settle: () => void;
  readonly #onListenerError: (message: string) => void;
  #busy = false;
  #begun = 0;

  /** `settle` finishes deferred work and commits the journal; it runs after each piece of work, before events go out. */
  constructor(settle: () => void, onListenerError: (message: string) => void) {
    this.#settle = settle;
    this.#onListenerError = onListenerError;
  }

  /** How many turns have begun. */
  get begun(): number {
    return this.#begun;
  }

  /** True when somebody listens, so that events are worth making. */
  get heard(): boolean {
    return this.#listeners.length > 0;
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

  run(work: () => void): void {
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

  #drain(): void {
    for (let round = 0; this.#inbox.length > 0 || this.#outbox.length > 0; round++) {
      if (round > ROUNDS_MAX)
        throw new RangeError('the executor does not come to rest: actions and answers cause each other without end');
      const event = this.#outbox.shift();
      if (event !== undefined) {
        this.#deliver(event);
        continue;
      }
      this.#inbox.shift()?.();
      this.#settle();
    }
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
