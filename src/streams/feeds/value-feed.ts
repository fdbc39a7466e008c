/** A feed of rare states (ticker, funding, mark) with its last value replayed on subscribe. */
import type { Observable } from 'rxjs';
import { Fanout } from './fanout.ts';
import { stateFeed } from './feed.ts';

export class ValueFeed<T> {
  readonly values: Observable<T>;
  readonly #changes = new Fanout<T>();
  #last: readonly T[] = [];

  constructor() {
    this.values = stateFeed(this.#changes.values, () => this.#last);
  }

  get last(): T | undefined {
    return this.#last[0];
  }

  next(value: T): void {
    this.#last = [value];
    this.#changes.next(value);
  }

  complete(): void {
    this.#changes.complete();
  }
}
